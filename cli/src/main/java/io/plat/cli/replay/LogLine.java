package io.plat.cli.replay;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.json.JsonFactories;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a line of a decision log, or of an audit log ({@code audit.k8s.io/v1}). What it does not know of it is passed over, bodies
 * included. Used once.
 */
final class LogLine {
    private static final JsonFactory JSON = JsonFactories.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(200).build())
            .build();

    private static final String MASKED = "(masked)";
    private static final String DECISION = "authorization.k8s.io/decision";
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int FAILED = 500;

    /** An object's name is in these requests' bodies only: they were decided without one. */
    private static final Set<String> WITHOUT_NAME = Set.of("create", "deletecollection");

    private final JsonParser json;
    private final Map<String, String> texts = new HashMap<>();
    private @Nullable UserInfo user;
    private @Nullable UserInfo impersonated;
    private @Nullable AccessAttributes access;
    private @Nullable Map<String, String> object;
    private @Nullable Boolean allowed;
    private String decision = "";
    private int code;

    private LogLine(JsonParser json) {
        this.json = json;
    }

    /**
     * The decision that a line tells of, or null where it tells of none: another stage of a request, one that could not be decided,
     * or one of which a part is masked.
     *
     * @throws IOException if it is no JSON object
     */
    static @Nullable Logged read(byte[] line, int length) throws IOException {
        try (JsonParser json = JSON.createParser(line, 0, length)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("expected a JSON object");
            }
            LogLine read = new LogLine(json);
            read.members(read::member);
            return read.texts.containsKey("auditID") ? read.event() : read.decided();
        }
    }

    /** Takes a member whose value is the current token. */
    @FunctionalInterface
    private interface Member {
        void take(String name) throws IOException;
    }

    private void members(Member member) throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            json.skipChildren();
            return;
        }
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            json.nextToken();
            member.take(name);
        }
        if (json.currentToken() != JsonToken.END_OBJECT) {
            throw new IOException("the line ends within an object");
        }
    }

    private String text() throws IOException {
        if (json.currentToken() == JsonToken.VALUE_STRING) {
            return json.getText();
        }
        json.skipChildren();
        return "";
    }

    private void member(String name) throws IOException {
        switch (name) {
            case "spec" -> spec();
            case "allowed" -> {
                if (json.currentToken().isBoolean()) {
                    allowed = json.getBooleanValue();
                }
            }
            case "auditID", "stage", "verb", "requestURI", "error" -> texts.put(name, text());
            case "user" -> user = user();
            case "impersonatedUser" -> impersonated = user();
            case "objectRef" -> object = strings();
            case "responseStatus" ->
                members(field -> {
                    if (field.equals("code") && json.currentToken() == JsonToken.VALUE_NUMBER_INT) {
                        code = json.getIntValue();
                    } else {
                        json.skipChildren();
                    }
                });
            case "annotations" -> decision = strings().getOrDefault(DECISION, "");
            default -> json.skipChildren();
        }
    }

    private Map<String, String> strings() throws IOException {
        Map<String, String> strings = new HashMap<>();
        members(field -> strings.put(field, text()));
        return strings;
    }

    private List<String> list() throws IOException {
        List<String> items = new ArrayList<>();
        if (json.currentToken() != JsonToken.START_ARRAY) {
            json.skipChildren();
            return items;
        }
        while (json.nextToken() != JsonToken.END_ARRAY) {
            items.add(text());
        }
        return items;
    }

    private UserInfo user() throws IOException {
        String[] name = {""};
        List<String> groups = new ArrayList<>();
        members(field -> {
            switch (field) {
                case "username" -> name[0] = text();
                case "groups" -> groups.addAll(list());
                default -> json.skipChildren();
            }
        });
        return new UserInfo(name[0], groups);
    }

    /** The question of a decision log's line: the spec of a review, in either form. */
    private void spec() throws IOException {
        String[] name = {""};
        List<String> groups = new ArrayList<>();
        members(field -> {
            switch (field) {
                case "user" -> name[0] = text();
                case "groups", "group" -> groups.addAll(list());
                case "resourceAttributes" -> access = resource(strings());
                case "nonResourceAttributes" -> {
                    Map<String, String> path = strings();
                    access = new NonResourceAttributes(path.getOrDefault("path", ""), path.getOrDefault("verb", ""));
                }
                default -> json.skipChildren();
            }
        });
        user = new UserInfo(name[0], groups);
    }

    private static ResourceAttributes resource(Map<String, String> fields) {
        return new ResourceAttributes(
                fields.getOrDefault("namespace", ""),
                fields.getOrDefault("verb", ""),
                fields.getOrDefault("group", ""),
                fields.getOrDefault("version", ""),
                fields.getOrDefault("resource", ""),
                fields.getOrDefault("subresource", ""),
                fields.getOrDefault("name", ""));
    }

    private @Nullable Logged decided() {
        UserInfo who = user;
        AccessAttributes what = access;
        Boolean was = allowed;
        boolean failed = !texts.getOrDefault("error", "").isEmpty();
        if (who == null || what == null || was == null || failed || isMasked(who, what)) {
            return null;
        }
        return new Logged(0, new Attributes(who, what), was);
    }

    private static boolean isMasked(UserInfo who, AccessAttributes what) {
        boolean asked = switch (what) {
            case ResourceAttributes resource ->
                resource.namespace().equals(MASKED) || resource.name().equals(MASKED);
            case NonResourceAttributes path -> path.path().equals(MASKED);
        };
        return asked || who.name().equals(MASKED) || who.groups().contains(MASKED);
    }

    /** One event of a request counts: the last, which every policy of auditing records if it records any. */
    private @Nullable Logged event() {
        UserInfo who = impersonated == null ? user : impersonated;
        String stage = texts.getOrDefault("stage", "");
        boolean last = stage.equals("ResponseComplete") || stage.equals("Panic");
        Boolean was = was();
        if (who == null || was == null || !last) {
            return null;
        }
        return new Logged(0, new Attributes(who, requested()), was);
    }

    /** What was decided, or null where the event does not tell: some servers leave the annotation out. */
    private @Nullable Boolean was() {
        if (decision.equals("allow") || decision.equals("forbid")) {
            return decision.equals("allow");
        }
        if (code == 0 || code == UNAUTHORIZED || code >= FAILED) {
            return null;
        }
        return code != FORBIDDEN;
    }

    private AccessAttributes requested() {
        Map<String, String> reference = object;
        String verb = texts.getOrDefault("verb", "");
        if (reference == null || reference.getOrDefault("resource", "").isEmpty()) {
            String uri = texts.getOrDefault("requestURI", "");
            int query = uri.indexOf('?');
            return new NonResourceAttributes(query < 0 ? uri : uri.substring(0, query), verb);
        }
        String subresource = reference.getOrDefault("subresource", "");
        boolean nameless = WITHOUT_NAME.contains(verb) && subresource.isEmpty();
        return new ResourceAttributes(
                reference.getOrDefault("namespace", ""),
                verb,
                reference.getOrDefault("apiGroup", ""),
                reference.getOrDefault("apiVersion", ""),
                reference.getOrDefault("resource", ""),
                subresource,
                nameless ? "" : reference.getOrDefault("name", ""));
    }
}
