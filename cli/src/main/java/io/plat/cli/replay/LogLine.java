package io.plat.cli.replay;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.cli.output.JsonDocument;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A line of a decision log, or of an audit log ({@code audit.k8s.io/v1}). Unknown members are skipped, including bodies.
 *
 * @param number its line number, from 1
 * @param members the known ones, as {@link JsonDocument#value} reads them
 */
record LogLine(long number, Map<String, @Nullable Object> members) {
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
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
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
                    members.put(name, JsonDocument.value(json));
                } else {
                    json.skipChildren();
                }
            }
            if (json.currentToken() != JsonToken.END_OBJECT) {
                throw new IOException("the line ends within an object");
            }
            LogLine read = new LogLine(number, members);
            return members.containsKey("auditID") ? read.event() : read.decided();
        }
    }

    /** Returns a member that is an object; empty otherwise. */
    private static Map<?, ?> object(Map<?, ?> members, String name) {
        return members.get(name) instanceof Map<?, ?> object ? object : Map.of();
    }

    /** Returns a member that is a string; {@code ""} otherwise. */
    private static String text(Map<?, ?> members, String name) {
        return members.get(name) instanceof String text ? text : "";
    }

    private static UserInfo user(Map<?, ?> members, String nameMember) {
        List<String> groups = new ArrayList<>();
        for (String member : List.of("groups", "group")) {
            if (members.get(member) instanceof List<?> all) {
                all.forEach(group -> groups.add(group instanceof String name ? name : ""));
            }
        }
        return new UserInfo(text(members, nameMember), groups);
    }

    /** Returns the decision of a decision log's line: the spec of a review, in either form, and the outcome. */
    private Replay.@Nullable LoggedDecision decided() {
        Map<?, ?> spec = object(members, "spec");
        AccessAttributes request = null;
        if (spec.get("resourceAttributes") instanceof Map<?, ?> fields) {
            request = resource(
                    fields, text(fields, "group"), text(fields, "version"), text(fields, "verb"), text(fields, "name"));
        } else if (spec.get("nonResourceAttributes") instanceof Map<?, ?> fields) {
            request = new NonResourceAttributes(text(fields, "path"), text(fields, "verb"));
        }
        UserInfo who = user(spec, "user");
        boolean failed = !text(members, "error").isEmpty();
        if (request == null || !(members.get("allowed") instanceof Boolean was) || failed || isMasked(who, request)) {
            return null;
        }
        return new Replay.LoggedDecision(number, new Attributes(who, request), was);
    }

    private static ResourceAttributes resource(
            Map<?, ?> fields, String group, String version, String verb, String name) {
        return new ResourceAttributes(
                text(fields, "namespace"),
                verb,
                group,
                version,
                text(fields, "resource"),
                text(fields, "subresource"),
                name);
    }

    private static boolean isMasked(UserInfo who, AccessAttributes what) {
        boolean request = switch (what) {
            case ResourceAttributes resource ->
                resource.namespace().equals(MASKED) || resource.name().equals(MASKED);
            case NonResourceAttributes path -> path.path().equals(MASKED);
        };
        return request || who.name().equals(MASKED) || who.groups().contains(MASKED);
    }

    /** Returns the decision of a request's last event, which every audit policy that records the request records; null for others. */
    private Replay.@Nullable LoggedDecision event() {
        String who = members.containsKey("impersonatedUser") ? "impersonatedUser" : "user";
        String stage = text(members, "stage");
        boolean last = stage.equals("ResponseComplete") || stage.equals("Panic");
        Boolean was = was();
        if (!members.containsKey(who) || was == null || !last) {
            return null;
        }
        return new Replay.LoggedDecision(
                number, new Attributes(user(object(members, who), "username"), requested()), was);
    }

    /** Returns the outcome, or null if the event lacks the annotation. */
    private @Nullable Boolean was() {
        String decision = text(object(members, "annotations"), DECISION);
        if (decision.equals("allow") || decision.equals("forbid")) {
            return decision.equals("allow");
        }
        int code = object(members, "responseStatus").get("code") instanceof Long number ? number.intValue() : 0;
        if (code == 0 || code == UNAUTHORIZED || code >= FAILED) {
            return null;
        }
        return code != FORBIDDEN;
    }

    private AccessAttributes requested() {
        Map<?, ?> reference = object(members, "objectRef");
        String verb = text(members, "verb");
        if (text(reference, "resource").isEmpty()) {
            String uri = text(members, "requestURI");
            int query = uri.indexOf('?');
            return new NonResourceAttributes(query < 0 ? uri : uri.substring(0, query), verb);
        }
        boolean nameless =
                WITHOUT_NAME.contains(verb) && text(reference, "subresource").isEmpty();
        return resource(
                reference,
                text(reference, "apiGroup"),
                text(reference, "apiVersion"),
                verb,
                nameless ? "" : text(reference, "name"));
    }

    /** Lines of a log, of bounded length. */
    static final class LogStream {
        /** Maximum length of a line; events with bodies are long. */
        static final int MAX_LENGTH = 64 << 20;

        private final InputStream in;
        private final byte[] buffer = new byte[256 << 10];
        private int start;
        private int end;
        private long bytes;

        LogStream(InputStream in) {
            this.in = in;
        }

        /**
         * Returns the next line without its end; null if there is none.
         *
         * @throws IOException if it can't be read, or is too long
         */
        byte @Nullable [] next() throws IOException {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            while (end >= 0) {
                int at = start;
                while (at < end && buffer[at] != '\n') {
                    at++;
                }
                line.write(buffer, start, at - start);
                boolean complete = at < end;
                bytes += at - start + (complete ? 1 : 0);
                start = at + 1;
                if (complete) {
                    return withoutReturn(line.toByteArray());
                }
                if (line.size() > MAX_LENGTH) {
                    throw new IOException("a line is longer than " + MAX_LENGTH + " bytes");
                }
                end = in.read(buffer);
                start = 0;
            }
            return line.size() == 0 ? null : withoutReturn(line.toByteArray());
        }

        private static byte[] withoutReturn(byte[] line) {
            boolean hasReturn = line.length > 0 && line[line.length - 1] == '\r';
            return hasReturn ? Arrays.copyOf(line, line.length - 1) : line;
        }

        /** Returns the number of bytes of the lines read so far. */
        long bytes() {
            return bytes;
        }
    }
}
