package io.plat.apiserver.operations;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.options.WriteCheck;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.type.Target;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Validation rules of objects with Kubernetes' messages: {@code field-rules.txt} has valid objects, and for each of them changes with the
 * resulting errors.
 */
final class FieldRulesTest {
    private static final Api API = new Api();

    private static final JsonMapper LENIENT = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES)
            .enable(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES)
            .build();

    @BeforeAll
    static void makeNamespace() {
        API.given("/api/v1/namespaces", "{\"metadata\":{\"name\":\"a\"}}");
    }

    @AfterAll
    static void close() {
        API.close();
    }

    /** A line of the file: a new object, or a change of an existing one or of its status. */
    record Case(int line, String path, String base, char how, String set, String message) {
        boolean change() {
            return how != '+';
        }

        @Override
        public String toString() {
            return "line " + line + ": " + path.substring(path.lastIndexOf('/') + 1) + " " + set;
        }

        ObjectNode object() throws IOException {
            ObjectNode object = (ObjectNode) LENIENT.readTree(base);
            object.withObject("/metadata").put("name", name());
            return object;
        }

        String name() {
            if (path.endsWith("ipaddresses")) {
                return "2001:db8::" + line;
            }
            return path.endsWith("csidrivers") ? "x.example.com" : "x" + line;
        }

        void setIn(ObjectNode object) throws IOException {
            for (String one : set.split(" ; ", -1)) {
                int equals = one.indexOf('=');
                if (!one.isBlank()) {
                    put(
                            object,
                            JsonPointer.compile(one.substring(0, equals).strip()),
                            one.substring(equals + 1).strip());
                }
            }
        }

        private static void put(ObjectNode object, JsonPointer at, String value) throws IOException {
            JsonNode parent = at.head().toString().isEmpty() ? object : object.at(at.head());
            if (parent instanceof ArrayNode array) {
                array.insert(at.last().getMatchingIndex(), LENIENT.readTree(value));
                return;
            }
            ObjectNode fields = parent.isMissingNode() ? object.withObject(at.head()) : (ObjectNode) parent;
            if (value.isEmpty()) {
                fields.remove(at.last().getMatchingProperty());
            } else {
                fields.set(at.last().getMatchingProperty(), LENIENT.readTree(value));
            }
        }
    }

    static Stream<Arguments> cases() throws IOException {
        try (InputStream in = Objects.requireNonNull(FieldRulesTest.class.getResourceAsStream("field-rules.txt"))) {
            List<String> lines = new String(in.readAllBytes(), UTF_8).lines().toList();
            List<Arguments> cases = new ArrayList<>();
            String path = "";
            String base = "";
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i);
                if (line.startsWith("/")) {
                    int space = line.indexOf(' ');
                    path = line.substring(0, space);
                    base = line.substring(space + 1);
                } else if (line.matches("[+~s] .*")) {
                    String[] parts = line.substring(2).split(" \\| ", 2);
                    cases.add(Arguments.of(
                            new Case(i + 1, path, base, line.charAt(0), parts[0], parts.length < 2 ? "" : parts[1])));
                }
            }
            return cases.stream();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void fieldRule(Case row) throws IOException {
        ObjectNode object = row.object();
        Api.Answer answer;
        String one = row.path() + "/" + row.name();
        if (row.change()) {
            ObjectNode created = API.given(row.path(), object.toString());
            row.setIn(created);
            answer = row.how() == 's' ? putStatus(one, created) : API.put(one, created.toString());
        } else {
            row.setIn(object);
            answer = API.post(row.path(), object.toString());
        }
        if (row.change() || answer.code() == 201) {
            API.delete(one);
        }
        int good = row.change() ? 200 : 201;
        assertThat(answer.code()).as(answer.message()).isEqualTo(row.message().isEmpty() ? good : 422);
        if (!row.message().isEmpty()) {
            // All errors are reported, so that there are no others.
            String message =
                    answer.message().substring(answer.message().indexOf(" is invalid: ") + " is invalid: ".length());
            assertThat(message)
                    .isEqualTo(row.message().replace("x@", row.name()).replace("\\n | ", "\n | "));
        }
    }

    private static Api.Answer putStatus(String path, ObjectNode object) {
        Target target = API.target(path);
        return API.answer(() -> API.operations.update(
                target,
                target.type().subresource("status").orElseThrow(),
                ObjectBody.json(target.type(), object.toString().getBytes(UTF_8)),
                WriteOptions.DEFAULT,
                WriteCheck.NONE));
    }
}
