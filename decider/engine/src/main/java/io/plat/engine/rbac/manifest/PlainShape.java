package io.plat.engine.rbac.manifest;

import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.RoleRef;
import io.plat.review.source.Location;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An object that was read, as the shape of others: what tools write differs from object to object in a few values only, and all the
 * rest, whose meaning is known, is compared as bytes. An object is of this shape if it is the same bytes but for its slots, and the reader of the format
 * takes what stands in those for such values as it took the first ones. So it is what reading it word by word would make of it. For one thread.
 */
final class PlainShape {
    private final byte[] text;
    private final Extent extent;
    private final RbacObject object;
    private final Location where;
    private final PlainSlot[] slots;
    private final @Nullable String[] words;
    private int end;

    /** Reads values of the format. */
    interface Values {
        /**
         * Reads the value that begins at a place.
         *
         * @param string whether it has to be a string
         * @return where it ends, negative where there is none that is read here
         */
        int valueAt(int from, boolean string);

        /**
         * Reads the only line of a literal, which begins at a place.
         *
         * @return where it ends, negative where there is none that is read here
         */
        int lineAt(int from);

        /** The value that was read last. */
        String valueRead();
    }

    /**
     * What an object takes up of a text.
     *
     * @param from where it begins
     * @param to where it ends
     * @param lines how many line ends stand in it
     * @param counted what a reader counts, as it reads no more than so many
     */
    record Extent(int from, int to, int lines, int counted) {}

    PlainShape(byte[] text, Extent extent, RbacObject object, List<PlainSlot> slots) {
        this.text = text;
        this.extent = extent;
        this.object = object;
        this.where = Objects.requireNonNull(object.where());
        this.slots = slots.toArray(PlainSlot[]::new);
        this.words = new @Nullable String[this.slots.length];
    }

    /**
     * Reads an object of this shape.
     *
     * @param from where it begins
     * @param limit where the text ends
     * @param line the number of its first line
     * @return null where it has another shape
     */
    @Nullable
    RbacObject read(int from, int limit, int line, Values values) {
        Arrays.fill(words, null);
        int mine = extent.from;
        int there = from;
        int next = 0;
        while (true) {
            int to = Math.min(there + extent.to - mine, limit);
            int alike = Arrays.mismatch(text, mine, extent.to, text, there, to);
            if (alike < 0) {
                end = to;
                return made(line - where.line());
            }
            mine += alike;
            while (next < slots.length && slots[next].to() < mine) {
                next++;
            }
            if (next == slots.length || slots[next].from() > mine) {
                return null;
            }
            PlainSlot slot = slots[next];
            int value = there + alike - (mine - slot.from());
            there = slot.kind() == PlainSlot.Kind.LINE
                    ? values.lineAt(value)
                    : values.valueAt(value, slot.kind() != PlainSlot.Kind.UNREAD);
            if (there < 0) {
                return null;
            }
            words[next] = slot.kind() == PlainSlot.Kind.LINE ? null : values.valueRead();
            mine = slot.to();
            next++;
        }
    }

    /** What the shape takes up. */
    Extent extent() {
        return extent;
    }

    /** Where the object ends that was read last. */
    int end() {
        return end;
    }

    private @Nullable RbacObject made(int down) {
        ObjectKey first = object.key();
        String name = word(PlainSlot.Kind.NAME, first.name());
        String namespace = word(PlainSlot.Kind.NAMESPACE, first.namespace());
        ObjectKey key = PlainDraft.key(first.kind(), namespace, name);
        if (key == null) {
            return null;
        }
        Location place = down(where, down);
        return switch (object) {
            case RbacRole role -> new RbacRole(key, role.labels(), rules(role, down), null, place);
            case RbacBinding binding -> {
                RoleRef roleRef = roleRef(binding.roleRef());
                List<RbacSubject> subjects = subjects(binding, key.kind());
                yield subjects == null || !PlainDraft.isGiven(roleRef, key.kind())
                        ? null
                        : new RbacBinding(key, subjects, roleRef, place);
            }
        };
    }

    private static Location down(Location where, int lines) {
        return new Location(where.file(), where.line() + lines);
    }

    private String word(PlainSlot.Kind kind, String otherwise) {
        for (int i = 0; i < slots.length; i++) {
            String word = words[i];
            if (slots[i].kind() == kind && word != null) {
                return word;
            }
        }
        return otherwise;
    }

    private static List<RbacRule> rules(RbacRole role, int down) {
        List<RbacRule> rules = new ArrayList<>(role.rules().size());
        for (RbacRule rule : role.rules()) {
            rules.add(new RbacRule(
                    rule.verbs(),
                    rule.apiGroups(),
                    rule.resources(),
                    rule.resourceNames(),
                    rule.nonResourceUrls(),
                    down(Objects.requireNonNull(rule.where()), down)));
        }
        return rules;
    }

    private RoleRef roleRef(RoleRef first) {
        String name = word(PlainSlot.Kind.ROLE, first.name());
        return name.equals(first.name()) ? first : new RoleRef(first.apiGroup(), first.kind(), first.namespace(), name);
    }

    /** The subjects, null where one of them is not valid beyond doubt. */
    private @Nullable List<RbacSubject> subjects(RbacBinding first, RbacKind kind) {
        List<RbacSubject> subjects = null;
        for (int i = 0; i < slots.length; i++) {
            String word = words[i];
            boolean name = slots[i].kind() == PlainSlot.Kind.SUBJECT_NAME;
            if (word == null || (!name && slots[i].kind() != PlainSlot.Kind.SUBJECT_NAMESPACE)) {
                continue;
            }
            if (subjects == null) {
                subjects = new ArrayList<>(first.subjects());
            }
            RbacSubject was = subjects.get(slots[i].subject());
            RbacSubject now = new RbacSubject(
                    was.kind(), was.apiGroup(), name ? was.namespace() : word, name ? word : was.name());
            subjects.set(slots[i].subject(), now);
        }
        if (subjects == null) {
            return first.subjects();
        }
        for (RbacSubject subject : subjects) {
            if (!PlainDraft.isValid(subject, kind)) {
                return null;
            }
        }
        return subjects;
    }
}
