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
    private final PlainJson json;
    private final Interned interned = new Interned();
    private final List<RbacObject> objects = new ArrayList<>();

    /** A reader of all objects of some bytes. */
    PlainList(String file, byte[] text) {
        this.file = file;
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

    private boolean object(boolean top) {
        PlainDraft draft = new PlainDraft(interned);
        Location where = new Location(file, json.line());
        boolean read = json.members((name, first) -> draft.once(name)
                && switch (name) {
                    case "apiVersion", "kind" -> first == PlainJson.STRING && draft.set(name, json.text());
                    case "metadata" -> first == '{' && metadata(draft);
                    case "rules" -> first == '[' && rules(draft);
                    case "subjects" -> first == '[' && subjects(draft);
                    case "roleRef" -> {
                        Map<String, String> fields = new HashMap<>();
                        yield first == '{' && words(PlainDraft::isReferenceField, fields) && draft.roleRef(fields);
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
        return object != null && objects.add(object);
    }

    private boolean metadata(PlainDraft draft) {
        Set<String> once = new HashSet<>();
        return json.members((name, first) -> once.add(name)
                && switch (name) {
                    case "name", "namespace" -> first == PlainJson.STRING && draft.set(name, json.text());
                    case "labels" -> {
                        Map<String, String> labels = new TreeMap<>();
                        yield first == '{' && words(label -> true, labels) && draft.labels(labels);
                    }
                    default -> json.skip(first);
                });
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
                            && words(PlainDraft::isSubjectField, fields)
                            && subjects.add(PlainDraft.subject(fields));
                });
    }

    /** Reads an object whose members are all strings. */
    private boolean words(Predicate<String> known, Map<String, String> fields) {
        return json.members((name, first) ->
                first == PlainJson.STRING && known.test(name) && fields.put(name, json.text()) == null);
    }
}
