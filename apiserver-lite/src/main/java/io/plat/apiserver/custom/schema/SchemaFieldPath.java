package io.plat.apiserver.custom.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.schema.FieldPath;

/**
 * Path of a field that a schema declares, as rules and selectable fields refer to it: {@code .spec.name} or {@code ['a'].b}.
 *
 * @param problem reason why there is no such field; {@code ""} if there is
 */
public record SchemaFieldPath(FieldPath path, JsonNode schema, String problem) {
    private static final Pattern TOKEN = Pattern.compile("[.\\[\\]]|'(?:[^'\\\\]|\\\\.)*'|[^.\\[\\]]+");
    private static final String END = "unexpected end of JSON path";

    /** Parses a path; {@code brackets} allows quoted names in brackets. */
    public static SchemaFieldPath of(String text, JsonNode schema, boolean brackets) {
        FieldPath path = FieldPath.ROOT;
        JsonNode at = schema;
        Matcher tokens = TOKEN.matcher(text);
        while (tokens.find()) {
            boolean bracket = tokens.group().equals("[");
            String problem = "";
            if (!bracket && !tokens.group().equals(".")) {
                problem = "expected [ or . but got: " + tokens.group();
            } else if (bracket && !brackets) {
                problem = "array notation is not allowed";
            } else if (!tokens.find()) {
                problem = END;
            } else if (bracket && !tokens.group().matches("'.*'")) {
                problem = "expected single quoted string but got " + tokens.group();
            }
            String token = problem.isEmpty() ? tokens.group() : "";
            String name = bracket && problem.isEmpty()
                    ? token.substring(1, token.length() - 1).replaceAll("\\\\(.)", "$1")
                    : token;
            boolean named = !at.path("properties").isEmpty();
            JsonNode next = named ? at.path("properties").path(name) : at.path("additionalProperties");
            if (problem.isEmpty() && !next.isObject()) {
                problem = "does not refer to a valid field";
            } else if (problem.isEmpty() && bracket && !tokens.find()) {
                problem = END;
            } else if (problem.isEmpty() && bracket && !tokens.group().equals("]")) {
                problem = "expected ] but got " + tokens.group();
            }
            if (!problem.isEmpty()) {
                return new SchemaFieldPath(path, at, FieldErrorMessages.clipped(problem));
            }
            path = named ? path.field(name) : path.key(name);
            at = next;
        }
        return new SchemaFieldPath(path, at, "");
    }
}
