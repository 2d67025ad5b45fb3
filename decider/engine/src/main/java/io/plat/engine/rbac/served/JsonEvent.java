package io.plat.engine.rbac.served;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.engine.lookup.Interned;
import io.plat.engine.rbac.RbacKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reader of one JSON event of a watch. Its type comes first, as Kubernetes writes it, and determines the object. */
final class JsonEvent {
    private final RbacKind kind;
    private final List<String> problems = new ArrayList<>();
    private String type = "";
    private @Nullable ObjectDraft draft;
    private ServedEvent.@Nullable Failure failure;

    JsonEvent(RbacKind kind) {
        this.kind = kind;
    }

    ServedEvent read(JsonParser json) throws IOException, MalformedRolesException {
        JsonMembers members = new JsonMembers(json, problems::add);
        members.object("event", name -> {
            switch (name) {
                case "type" -> type = members.text(name);
                case "object" -> object(json, members);
                default -> json.skipChildren();
            }
        });
        if (!problems.isEmpty()) {
            throw new MalformedRolesException(problems.getFirst());
        }
        if (failure != null) {
            return failure;
        }
        if (draft == null) {
            throw new MalformedRolesException("expected an event with a type and an object");
        }
        return draft.event(type);
    }

    private void object(JsonParser json, JsonMembers members) throws IOException, MalformedRolesException {
        if (type.isEmpty()) {
            throw new MalformedRolesException("expected an event that begins with its type");
        }
        if (type.equals(ServedEvent.ERROR)) {
            failure = status(json, members);
        } else {
            draft = new ObjectDraft(kind, new Interned());
            JsonObjectReader.read(json, draft);
        }
    }

    static ServedEvent.Failure status(JsonParser json, JsonMembers members)
            throws IOException, MalformedRolesException {
        String[] texts = {"", ""};
        int[] code = {0};
        members.object("object", name -> {
            switch (name) {
                case "reason" -> texts[0] = members.text(name);
                case "message" -> texts[1] = members.text(name);
                case "code" -> code[0] = json.currentToken() == JsonToken.VALUE_NUMBER_INT ? json.getIntValue() : 0;
                default -> json.skipChildren();
            }
        });
        return new ServedEvent.Failure(code[0], texts[0], texts[1]);
    }
}
