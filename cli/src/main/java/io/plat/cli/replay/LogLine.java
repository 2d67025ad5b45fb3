package io.plat.cli.replay;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.cli.output.JsonDocument;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.json.JsonObject;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A line of a decision log, or of an audit log ({@code audit.k8s.io/v1}). Unknown members are skipped, including bodies.
 *
 * @param number its line number, from 1
 * @param members the known ones, by name
 */
record LogLine(long number, JsonObject members) {
    /** Maximum length of a line, in bytes; events with bodies are long. */
    static final int MAX_LENGTH = 64 << 20;

    private static final Set<String> KNOWN = Set.of(
            "spec",
            "allowed",
            "error",
            "auditID",
            "stage",
            "verb",
            "requestURI",
            "user",
            "impersonatedUser",
            "objectRef",
            "responseStatus",
            "annotations");
    private static final String MASKED = "(masked)";
    private static final String DECISION = "authorization.k8s.io/decision";
    private static final int FAILED = 500;

    /** Requests whose objects are named in the body only; they are decided without a name. */
    private static final Set<String> WITHOUT_NAME = Set.of("create", "deletecollection");

    /**
     * Returns the decision of a line, or null if it has none: another stage of a request, one that could not be decided, or one with masked
     * parts.
     *
     * @throws IOException if it is not a JSON object
     */
    static Replay.@Nullable LoggedDecision read(byte[] line, long number) throws IOException {
        try (JsonParser json = JsonDocument.parser(line)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("expected a JSON object");
            }
            Map<String, @Nullable Object> members = new HashMap<>();
            for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                json.nextToken();
                if (KNOWN.contains(name)) {
                    members.put(name, JsonObject.value(json));
                } else {
                    json.skipChildren();
                }
            }
            if (json.currentToken() != JsonToken.END_OBJECT) {
                throw new IOException("the line ends within an object");
            }
            LogLine read = new LogLine(number, new JsonObject(members));
            return members.containsKey("auditID") ? read.event() : read.decided();
        }
    }

    private static UserInfo user(JsonObject members, String nameMember) {
        List<String> groups = new ArrayList<>(members.texts("groups"));
        groups.addAll(members.texts("group"));
        return new UserInfo(members.text(nameMember), groups);
    }

    /** Returns the decision of a decision log's line: the spec of a review, in either form, and the outcome. */
    private Replay.@Nullable LoggedDecision decided() {
        JsonObject spec = members.object("spec");
        AccessAttributes request = null;
        if (spec.members().get("resourceAttributes") instanceof Map<?, ?> fields) {
            JsonObject resource = new JsonObject(fields);
            request = resource(
                    resource,
                    resource.text("group"),
                    resource.text("version"),
                    resource.text("verb"),
                    resource.text("name"));
        } else if (spec.members().get("nonResourceAttributes") instanceof Map<?, ?> fields) {
            JsonObject path = new JsonObject(fields);
            request = new NonResourceAttributes(path.text("path"), path.text("verb"));
        }
        UserInfo user = user(spec, "user");
        boolean failed = !members.text("error").isEmpty();
        Boolean was = members.flag("allowed");
        if (request == null || was == null || failed || isMasked(user, request)) {
            return null;
        }
        return new Replay.LoggedDecision(number, new Attributes(user, request), was);
    }

    private static ResourceAttributes resource(
            JsonObject fields, String group, String version, String verb, String name) {
        return new ResourceAttributes(
                fields.text("namespace"),
                verb,
                group,
                version,
                fields.text("resource"),
                fields.text("subresource"),
                name);
    }

    private static boolean isMasked(UserInfo user, AccessAttributes access) {
        boolean request = switch (access) {
            case ResourceAttributes resource ->
                resource.namespace().equals(MASKED) || resource.name().equals(MASKED);
            case NonResourceAttributes path -> path.path().equals(MASKED);
        };
        return request || user.name().equals(MASKED) || user.groups().contains(MASKED);
    }

    /** Returns the decision of a request's last event, which every audit policy that records the request records; null for others. */
    private Replay.@Nullable LoggedDecision event() {
        String userField = members.has("impersonatedUser") ? "impersonatedUser" : "user";
        String stage = members.text("stage");
        boolean last = stage.equals("ResponseComplete") || stage.equals("Panic");
        Boolean was = was();
        if (!members.has(userField) || was == null || !last) {
            return null;
        }
        return new Replay.LoggedDecision(
                number, new Attributes(user(members.object(userField), "username"), requested()), was);
    }

    /** Returns the outcome, or null if the event lacks the annotation. */
    private @Nullable Boolean was() {
        String decision = members.object("annotations").text(DECISION);
        if (decision.equals("allow") || decision.equals("forbid")) {
            return decision.equals("allow");
        }
        int code = members.object("responseStatus").number("code");
        if (code == 0 || code == HttpURLConnection.HTTP_UNAUTHORIZED || code >= FAILED) {
            return null;
        }
        return code != HttpURLConnection.HTTP_FORBIDDEN;
    }

    private AccessAttributes requested() {
        JsonObject reference = members.object("objectRef");
        String verb = members.text("verb");
        if (reference.text("resource").isEmpty()) {
            String uri = members.text("requestURI");
            int query = uri.indexOf('?');
            return new NonResourceAttributes(query < 0 ? uri : uri.substring(0, query), verb);
        }
        boolean nameless =
                WITHOUT_NAME.contains(verb) && reference.text("subresource").isEmpty();
        return resource(
                reference,
                reference.text("apiGroup"),
                reference.text("apiVersion"),
                verb,
                nameless ? "" : reference.text("name"));
    }
}
