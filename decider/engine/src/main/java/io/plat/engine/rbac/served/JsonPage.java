package io.plat.engine.rbac.served;

import com.fasterxml.jackson.core.JsonParser;
import io.plat.engine.lookup.Interned;
import io.plat.engine.rbac.RbacKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads one chunk of a list in JSON. */
final class JsonPage {
    private final RbacKind kind;
    private final Interned strings;
    private final List<ServedObject> items = new ArrayList<>();
    private final List<String> nameless = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private String apiVersion = "";
    private String listKind = "";
    private String version = "";
    private String next = "";

    JsonPage(RbacKind kind, Interned strings) {
        this.kind = kind;
        this.strings = strings;
    }

    ServedPage read(JsonParser json) throws IOException, MalformedRolesException {
        JsonMembers members = new JsonMembers(json, problems::add);
        members.object("list", name -> {
            switch (name) {
                case "apiVersion" -> apiVersion = members.text(name);
                case "kind" -> listKind = members.text(name);
                case "metadata" -> members.object(name, field -> metadata(json, members, field));
                case "items" -> members.list(name, () -> item(json));
                default -> json.skipChildren();
            }
        });
        TypeNames.require(TypeNames.list(kind), apiVersion, listKind);
        if (!problems.isEmpty()) {
            throw new MalformedRolesException(problems.getFirst());
        }
        return new ServedPage(version, next, items, nameless);
    }

    private void metadata(JsonParser json, JsonMembers members, String name) throws IOException {
        switch (name) {
            case "resourceVersion" -> version = members.text(name);
            case "continue" -> next = members.text(name);
            default -> json.skipChildren();
        }
    }

    private void item(JsonParser json) throws IOException, MalformedRolesException {
        ObjectDraft draft = new ObjectDraft(kind, strings);
        JsonObjectReader.read(json, draft);
        ServedObject object = draft.finish();
        if (object == null) {
            nameless.add(draft.problem());
        } else {
            items.add(object);
        }
    }
}
