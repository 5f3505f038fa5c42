"""Results of tools and failed streams, pure: stringified images, swallowed errors, odd shapes."""
