package io.plat.engine.rbac.manifest;

import io.plat.engine.lookup.Interned;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.review.source.ByteWords;
import io.plat.review.source.Location;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads documents of role objects that are written as tools write them: block style, a plain or quoted word a line. That takes a tenth of
 * what YAML in general takes. A document in which anything else stands is left to the general reader, so that nothing is ever refused
 * here; a property holds what is read to what that one reads. For one thread.
 */
final class PlainYaml {
    private final String file;
    private final PlainLines lines;
    private final byte[] text;
    private final Interned interned = new Interned();
    private final PlainShapes shapes = new PlainShapes();

    /** A reader of the documents in a part of some bytes, which begins with the line of that number. */
    PlainYaml(String file, byte[] text, int from, int to, int line) {
        this.file = file;
        this.text = text;
        this.lines = new PlainLines(text, from, to, line, new ByteWords());
    }

    /** Reads all documents; false where what is between them says how to read them. */
    boolean readAll(PlainObjects into) {
        List<RbacObject> objects = new ArrayList<>();
        while (lines.nextDocument()) {
            objects.clear();
            if (document(objects)) {
                into.addAll(objects);
            } else {
                int line = lines.documentLine();
                int from = lines.documentFrom();
                if (!lines.skipDocument()) {
                    return false;
                }
                into.leave(from, lines.at(), line);
            }
        }
        return true;
    }

    private boolean document(List<RbacObject> objects) {
        if (!lines.advance()) {
            return false;
        }
        return lines.over() || (object(0, objects, true) && lines.over());
    }

    /** Reads an object whose fields begin at a column; a List holds more of them. */
    private boolean object(int column, List<RbacObject> objects, boolean top) {
        int line = lines.line();
        int from = lines.lineFrom();
        PlainShapes.Found like = lines.isField(column, true) && (top == (lines.dash() < 0))
                ? shapes.find(from, lines.end(), line, lines, lines::mayEnd)
                : null;
        if (like != null) {
            return objects.add(like.object())
                    && lines.advanceBehind(like.shape().extent(), like.shape().end());
        }
        int counted = lines.counted();
        PlainDraft draft = new PlainDraft(interned);
        Location where = new Location(file, line);
        boolean list = false;
        boolean first = true;
        while (lines.isField(column, first)) {
            first = false;
            boolean read = draft.once(lines.key())
                    && switch (lines.key()) {
                        case "apiVersion", "kind" -> word() && draft.set(lines.key(), lines.value()) && lines.advance();
                        case "metadata" -> metadata(column, draft);
                        case "rules" -> rules(column, draft);
                        case "subjects" -> subjects(column, draft);
                        case "roleRef" -> {
                            Map<String, String> fields = new HashMap<>();
                            yield below(column)
                                    && words(lines.column(), PlainDraft::isReferenceField, fields, draft::roleSlot)
                                    && draft.roleRef(fields);
                        }
                        case "items" -> {
                            list = true;
                            yield top && items(column, objects);
                        }
                        default -> false;
                    };
            if (!read) {
                return false;
            }
        }
        if (list) {
            return draft.head("apiVersion").equals("v1") && draft.head("kind").equals("List") && draft.isBare();
        }
        RbacObject object = draft.object(where);
        if (object == null) {
            return false;
        }
        shapes.add(
                text,
                new PlainShape.Extent(from, lines.lineFrom(), lines.line() - line, lines.counted() - counted),
                object,
                draft.slots());
        return objects.add(object);
    }

    private boolean items(int column, List<RbacObject> objects) {
        if (!itemsBelow(column)) {
            return false;
        }
        int dash = lines.dash();
        while (lines.isItem(dash)) {
            if (!object(lines.column(), objects, false)) {
                return false;
            }
        }
        return true;
    }

    private boolean metadata(int column, PlainDraft draft) {
        if (!below(column)) {
            return false;
        }
        int own = lines.column();
        Map<String, String> seen = new HashMap<>();
        while (lines.isField(own, false)) {
            String key = lines.key();
            if (seen.put(key, key) != null) {
                return false;
            }
            boolean read = switch (key) {
                case "name" -> word() && draft.set(key, lines.value()) && slot(draft, PlainSlot.Kind.NAME);
                case "namespace" -> word() && draft.set(key, lines.value()) && slot(draft, PlainSlot.Kind.NAMESPACE);
                case "labels" -> {
                    Map<String, String> labels = new TreeMap<>();
                    yield below(own)
                            && words(lines.column(), label -> !label.isEmpty(), labels, (label, from, to) -> true)
                            && draft.labels(labels);
                }
                case "annotations" -> below(own) && unread(lines.column(), draft);
                default ->
                    PlainDraft.isUnread(key)
                            && !lines.isText()
                            && lines.hasValue()
                            && slot(draft, PlainSlot.Kind.UNREAD);
            };
            if (!read) {
                return false;
            }
        }
        return true;
    }

    /** Passes over fields from which nothing follows, each with a word or with lines of text. */
    private boolean unread(int column, PlainDraft draft) {
        Map<String, String> seen = new HashMap<>();
        boolean first = true;
        while (lines.isField(column, first)) {
            first = false;
            if (lines.key().isEmpty() || seen.put(lines.key(), "") != null || !lines.hasValue()) {
                return false;
            }
            boolean read = (lines.isText() && !lines.isLine())
                    ? lines.advance()
                    : slot(draft, lines.isText() ? PlainSlot.Kind.LINE : PlainSlot.Kind.UNREAD);
            if (!read) {
                return false;
            }
        }
        return !first;
    }

    private boolean rules(int column, PlainDraft draft) {
        List<RbacRule> rules = draft.newRules();
        if (rules == null || !itemsBelow(column)) {
            return false;
        }
        int dash = lines.dash();
        while (lines.isItem(dash)) {
            RbacRule rule = rule(lines.column(), draft);
            if (rule == null) {
                return false;
            }
            rules.add(rule);
        }
        return true;
    }

    private @Nullable RbacRule rule(int column, PlainDraft draft) {
        Location where = new Location(file, lines.line());
        Map<String, List<String>> lists = new HashMap<>();
        boolean first = true;
        while (lines.isField(column, first)) {
            first = false;
            List<String> list = new ArrayList<>(4);
            if (!PlainDraft.isRuleField(lines.key())
                    || lists.put(lines.key(), list) != null
                    || !strings(column, list)) {
                return null;
            }
        }
        return draft.rule(lists, where);
    }

    private boolean strings(int column, List<String> strings) {
        if (!itemsBelow(column)) {
            return false;
        }
        int dash = lines.dash();
        while (lines.isItem(dash)) {
            if (!lines.key().isEmpty() || !word() || !strings.add(lines.value()) || !lines.advance()) {
                return false;
            }
        }
        return true;
    }

    private boolean subjects(int column, PlainDraft draft) {
        List<RbacSubject> subjects = draft.newSubjects();
        if (subjects == null || !itemsBelow(column)) {
            return false;
        }
        int dash = lines.dash();
        while (lines.isItem(dash)) {
            Map<String, String> fields = new HashMap<>();
            if (!words(lines.column(), PlainDraft::isSubjectField, fields, draft::subjectSlot)) {
                return false;
            }
            subjects.add(PlainDraft.subject(fields));
        }
        return true;
    }

    /** Reads fields that are words each, of which the first may stand behind a hyphen. */
    private boolean words(int column, Predicate<String> known, Map<String, String> fields, PlainDraft.Slots slots) {
        boolean first = true;
        while (lines.isField(column, first)) {
            first = false;
            if (!known.test(lines.key())
                    || !word()
                    || fields.put(lines.key(), lines.value()) != null
                    || !slots.at(lines.key(), lines.valueFrom(), lines.valueTo())
                    || !lines.advance()) {
                return false;
            }
        }
        return !first;
    }

    private boolean slot(PlainDraft draft, PlainSlot.Kind kind) {
        return draft.slot(kind, lines.valueFrom(), lines.valueTo()) && lines.advance();
    }

    private boolean word() {
        return lines.isWord();
    }

    /** Goes to the first field of a mapping below a field. */
    private boolean below(int column) {
        return !lines.hasValue() && lines.advance() && !lines.over() && lines.dash() < 0 && lines.column() > column;
    }

    /** Goes to the first item of a list below a field. */
    private boolean itemsBelow(int column) {
        return !lines.hasValue() && lines.advance() && !lines.over() && lines.dash() >= column;
    }
}
