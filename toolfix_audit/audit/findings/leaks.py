"""Family G over a store: calls in texts and reasoning, and markup of calls inside calls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from toolfix_audit.audit.findings.offered import Offer, Offers
from toolfix_audit.audit.findings.reask import Simulation, Spoken, is_told, told_by
from toolfix_audit.audit.findings.sightings import Sighting, Sightings, cut
from toolfix_audit.audit.spec import SchemaSet
from toolfix_audit.engine.leaks import Leak, Message, StructuredCall, detect
from toolfix_audit.engine.leaks.telling import TELLING, TELLING_CALL
from toolfix_audit.engine.leaks.words import Channel, Reason
from toolfix_audit.engine.reask import Policy
from toolfix_audit.model.json import dump_json
from toolfix_audit.model.report_findings import FoundRow, Reask
from toolfix_audit.store.finding_rows import (
    CallRow,
    TextRow,
    place_key,
    telling_calls,
    telling_texts,
)
from toolfix_audit.store.store import Store


@dataclass(frozen=True, slots=True)
class LeakFinds:
    """What the texts told beside the sightings: how many read like calls while no tool is known,
    and what a re-ask policy would have done."""

    untold: int
    reask: Reask


def find_leaks(store: Store, schemas: SchemaSet, policy: Policy, sightings: Sightings) -> LeakFinds:
    """Count the leaked calls of a store, and simulate the policy on the sessions that have any."""
    offers, simulation, untold = Offers(schemas), Simulation(store, policy), 0
    texts = telling_texts(store, f"{TELLING}|{told_by(policy)}")
    for source, rows in groupby(texts, key=lambda row: row.source):
        spoken: list[Spoken] = []
        for row in rows:
            offer = offers.of(row.catalog, (row.harness or "", row.version), row.called or ())
            untold += not offer.tools
            found = list(leaks_in(row, offer))
            for sighting in found:
                sightings.add(sighting)
            if found or is_told(_said(row), policy):
                spoken.append(Spoken(row.session, row.position, _said(row), bool(found)))
        simulation.add(source, spoken)
    for call in telling_calls(store, TELLING_CALL):
        offer = offers.of(call.catalog, (call.harness or "", call.version), call.called or ())
        for sighting in residue_in(call, offer):
            sightings.add(sighting)
    return LeakFinds(untold, simulation.done())


def _said(row: TextRow) -> str:
    return "" if row.reasoning else row.text


def leaks_in(row: TextRow, offer: Offer) -> Iterator[Sighting]:
    """The leaks in one text, judged by the tools that were offered."""
    text, reasoning = ("", row.text) if row.reasoning else (row.text, "")
    calls = (StructuredCall(next(iter(offer.tools), ""), {}),) if row.has_calls else ()
    key = place_key(row.digest, row.position)
    for leak in detect(Message(text, reasoning, calls), offer.tools).leaks:
        if leak.channel is Channel.CALL:
            continue
        shown = row.text[leak.start : leak.end]
        yield _sighting(row, leak, offer, (f"{key}:{leak.start}", None, shown))


def residue_in(row: CallRow, offer: Offer) -> Iterator[Sighting]:
    """The markup in the name or in a key of one call."""
    message = Message(calls=(StructuredCall(row.tool, row.arguments),))
    for leak in detect(message, offer.tools).leaks:
        shown = f"{row.tool} {row.arguments}"
        yield _sighting(row, leak, offer, (row.call, row.call, shown))


def _sighting(
    row: TextRow | CallRow, leak: Leak, offer: Offer, example: tuple[str, str | None, str]
) -> Sighting:
    key, call, shown = example
    reason = leak.reason
    if reason is None and any(one.name in offer.nameless for one in leak.calls):
        reason = Reason.UNJUDGED
    return Sighting(
        key,
        FoundRow(
            family="G",
            kind=leak.kind.value,
            variant=leak.syntax,
            tool=leak.name,
            model=row.model,
            count=1,
            repairable=int(reason is None),
            session=row.session,
            path=row.path,
            call=call,
            shown=cut(shown),
            says=cut(_says(leak, reason)),
        ),
    )


def _says(leak: Leak, reason: Reason | None) -> str:
    """What could be called instead, or why nothing is."""
    if reason is not None:
        return f"not repairable: {reason.value.replace('_', ' ')}"
    if not leak.calls:
        return "leave the markup out of the text"
    calls = (f"{call.name} {dump_json(call.arguments)}" for call in leak.calls)
    return f"call {'; '.join(calls)}"
