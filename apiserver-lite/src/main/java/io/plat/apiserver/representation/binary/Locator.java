package io.plat.apiserver.representation.binary;

import io.plat.review.status.StatusException;
import java.util.ArrayList;
import java.util.List;

/** Looks messages through for their fields. Lends what it finds, as deep as messages are nested. */
final class Locator {
    private final WireReader reader;
    private final List<Occurrences> lent = new ArrayList<>();
    private int inUse;

    Locator(WireReader reader) {
        this.reader = reader;
    }

    /** Room for a message's fields, until it is given back; what is lent last is given back first. */
    Occurrences lend(int slots) {
        if (inUse == lent.size()) {
            lent.add(new Occurrences());
        }
        Occurrences found = lent.get(inUse++);
        found.reset(slots);
        return found;
    }

    /** Takes back what was lent last. */
    void giveBack() {
        inUse--;
    }

    /** Notes where the fields of a message stand; slots are the plan's. Unknown fields are passed over. */
    void locate(MessagePlan plan, Occurrences found, int start, int end) throws StatusException {
        reader.go(start, end);
        while (reader.more()) {
            int tag = reader.tag();
            int slot = plan.slot(tag >>> 3);
            if (slot < 0) {
                reader.skip(tag);
            } else {
                switch (plan.entry(slot)) {
                    case MessagePlan.Inlined inlined -> note(found, slot, tag, WireReader.BLOCK, plan.shortName());
                    case FieldPlan field -> note(field, plan, found, slot, tag, end);
                }
            }
        }
    }

    private void note(FieldPlan field, MessagePlan plan, Occurrences found, int slot, int tag, int end)
            throws StatusException {
        boolean packed =
                field.shape() == FieldPlan.Shape.ARRAY && field.kind().packable() && (tag & 7) == WireReader.BLOCK;
        if (!packed) {
            note(found, slot, tag, field.tag() & 7, plan.shortName());
            return;
        }
        int stop = reader.length() + reader.at();
        reader.go(reader.at(), stop);
        while (reader.more()) {
            int at = reader.at();
            reader.skip(field.kind().wireType());
            found.add(slot, at, reader.at());
        }
        reader.go(stop, end);
    }

    /** Notes where the fields of a small message stand; the field with the number n goes to the slot n. */
    Occurrences locate(String message, int start, int end, int... wireTypes) throws StatusException {
        Occurrences found = lend(wireTypes.length + 1);
        reader.go(start, end);
        while (reader.more()) {
            int tag = reader.tag();
            int number = tag >>> 3;
            if (number > wireTypes.length) {
                reader.skip(tag);
            } else {
                note(found, number, tag, wireTypes[number - 1], message);
            }
        }
        return found;
    }

    private void note(Occurrences found, int slot, int tag, int wireType, String message) throws StatusException {
        if ((tag & 7) != wireType) {
            throw Malformed.binary("field " + (tag >>> 3) + " of " + message + " has the wire type " + (tag & 7)
                    + " instead of " + wireType);
        }
        if (wireType == WireReader.BLOCK) {
            int length = reader.length();
            found.add(slot, reader.at(), reader.at() + length);
            reader.advance(length);
        } else {
            int at = reader.at();
            reader.skip(wireType);
            found.add(slot, at, reader.at());
        }
    }
}
