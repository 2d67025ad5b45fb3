package io.plat.engine.rbac.manifest;

import io.plat.engine.lookup.Interned;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.review.source.ByteWords;
import io.plat.review.source.Location;
import io.plat.review.source.PlainJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Reads role objects in JSON, single ones and in a List, as {@link PlainYaml} does in YAML. Used once. */
final class PlainList {
    private final String file;
    private final byte[] text;
    private final PlainJson json;
    private final Values values = new Values();
    private final PlainShapes shapes = new PlainShapes();
    private final Interned interned = new Interned();
    private final List<RbacObject> objects = new ArrayList<>();

    /** A reader of all objects of some bytes. */
    PlainList(String file, byte[] text) {
        this.file = file;
        this.text = text;
        this.json = new PlainJson(text, 0, text.length, 1, new ByteWords());
    }

    /** Reads all objects; false where anything stands among them that is not read here. */
    boolean readAll(PlainObjects into) {
        int token = json.next();
        while (token == '{') {
            if (!object(true)) {
                return false;
            }
            token = json.next();
        }
        into.addAll(objects);
        return token == PlainJson.END;
    }

    /** Values where objects differ. */
    private final class Values implements PlainShape.Values {
        @Override
        public int valueAt(int from, boolean string) {
            return json.stringAt(from);
        }

        @Override
        public int lineAt(int from) {
            throw new IllegalStateException("JSON has no literals");
        }

        @Override
        public String valueRead() {
            return json.text();
        }
    }

    private boolean object(boolean top) {
        int from = json.at() - 1;
        int line = json.line();
        PlainShapes.Found like = shapes.find(from, text.length, line, values, end -> true);
        if (like != null) {
            PlainShape.Extent extent = like.shape().extent();
            return objects.add(like.object()) && json.goOn(like.shape().end(), extent.lines(), extent.counted());
        }
        int counted = json.counted();
        PlainDraft draft = new PlainDraft(interned);
        Location where = new Location(file, line);
        boolean read = json.members((name, first) -> draft.once(name)
                && switch (name) {
                    case "apiVersion", "kind" -> first == PlainJson.STRING && draft.set(name, json.text());
                    case "metadata" -> first == '{' && metadata(draft);
                    case "rules" -> first == '[' && rules(draft);
                    case "subjects" -> first == '[' && subjects(draft);
                    case "roleRef" -> {
                        Map<String, String> fields = new HashMap<>();
                        yield first == '{'
                                && words(PlainDraft::isReferenceField, fields, draft::roleSlot)
                                && draft.roleRef(fields);
                    }
                    case "items" -> top && first == '[' && json.items(token -> token == '{' && object(false));
                    default -> false;
                });
        if (!read) {
            return false;
        }
        if (!draft.once("items")) {
            return draft.head("apiVersion").equals("v1") && draft.head("kind").equals("List") && draft.isBare();
        }
        RbacObject object = draft.object(where);
        if (object == null) {
            return false;
        }
        shapes.add(
                text,
                new PlainShape.Extent(from, json.at(), json.line() - line, json.counted() - counted),
                object,
                draft.slots());
        return objects.add(object);
    }

    private boolean metadata(PlainDraft draft) {
        Set<String> once = new HashSet<>();
        return json.members((name, first) -> once.add(name)
                && switch (name) {
                    case "name" ->
                        first == PlainJson.STRING && draft.set(name, json.text()) && slot(draft, PlainSlot.Kind.NAME);
                    case "namespace" ->
                        first == PlainJson.STRING
                                && draft.set(name, json.text())
                                && slot(draft, PlainSlot.Kind.NAMESPACE);
                    case "labels" -> {
                        Map<String, String> labels = new TreeMap<>();
                        yield first == '{'
                                && words(label -> true, labels, (label, from, to) -> true)
                                && draft.labels(labels);
                    }
                    default -> first == PlainJson.STRING ? slot(draft, PlainSlot.Kind.UNREAD) : json.skip(first);
                });
    }

    private boolean slot(PlainDraft draft, PlainSlot.Kind kind) {
        return draft.slot(kind, json.tokenFrom(), json.at());
    }

    private boolean rules(PlainDraft draft) {
        List<RbacRule> rules = draft.newRules();
        return rules != null && json.items(token -> token == '{' && rule(draft, rules));
    }

    private boolean rule(PlainDraft draft, List<RbacRule> rules) {
        Location where = new Location(file, json.line());
        Map<String, List<String>> lists = new HashMap<>();
        boolean read = json.members((name, first) -> {
            List<String> list = new ArrayList<>(4);
            return first == '['
                    && PlainDraft.isRuleField(name)
                    && lists.put(name, list) == null
                    && json.items(token -> token == PlainJson.STRING && list.add(json.text()));
        });
        RbacRule rule = read ? draft.rule(lists, where) : null;
        return rule != null && rules.add(rule);
    }

    private boolean subjects(PlainDraft draft) {
        List<RbacSubject> subjects = draft.newSubjects();
        return subjects != null
                && json.items(token -> {
                    Map<String, String> fields = new HashMap<>();
                    return token == '{'
                            && words(PlainDraft::isSubjectField, fields, draft::subjectSlot)
                            && subjects.add(PlainDraft.subject(fields));
                });
    }

    /** Reads an object whose members are all strings. */
    private boolean words(Predicate<String> known, Map<String, String> fields, PlainDraft.Slots slots) {
        return json.members((name, first) -> first == PlainJson.STRING
                && known.test(name)
                && fields.put(name, json.text()) == null
                && slots.at(name, json.tokenFrom(), json.at()));
    }
}
