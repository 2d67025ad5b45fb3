package io.plat.apiserver.representation.binary;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.TextFormat;
import com.google.protobuf.UnknownFieldSet;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The cases of {@code golden.txt}: objects written by hand in both forms. */
class GoldenTest {
    private static final Pattern ADDED_FIELD = Pattern.compile("\\b(\\d+): \"([^\"]*)\"");

    private static final Descriptions DESCRIPTIONS = Descriptions.builtIn();
    private static final DescriptorTable DESCRIPTORS = DescriptorTable.ofKubernetes();
    private static final BinaryForms FORMS = BinaryForms.builtIn();
    private final JsonMapper mapper = new JsonMapper();

    private record Case(String direction, String name, TypeMeta type, String json, String text) {}

    @TestFactory
    Stream<DynamicTest> handMadeCases() throws IOException {
        return cases().stream().map(each -> DynamicTest.dynamicTest(each.name(), () -> check(each)));
    }

    private static List<Case> cases() throws IOException {
        try (InputStream in = Objects.requireNonNull(GoldenTest.class.getResourceAsStream("golden.txt"))) {
            String file = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            var cases = new ArrayList<Case>();
            for (String block : file.split("\n\n", -1)) {
                List<String> lines =
                        block.lines().filter(line -> !line.startsWith("#")).toList();
                if (!lines.isEmpty()) {
                    String[] type = lines.get(1).split(" ", -1);
                    cases.add(new Case(
                            lines.getFirst().substring(0, 2),
                            lines.getFirst().substring(3),
                            new TypeMeta(type[0], type[1]),
                            lines.get(2),
                            String.join("\n", lines.subList(3, lines.size()))));
                }
            }
            return cases;
        }
    }

    private void check(Case each) throws Exception {
        BinaryForm form = FORMS.find(each.type()).orElseThrow();
        DynamicMessage message = message(each);
        if (!each.direction().equals("<=")) {
            byte[] written = form.message(each.json().getBytes(StandardCharsets.UTF_8));
            // Parsing again puts the fields of both in the same order.
            DynamicMessage read = DynamicMessage.parseFrom(message.getDescriptorForType(), written);
            assertThat(TextFormat.printer().printToString(read))
                    .isEqualTo(TextFormat.printer().printToString(message));
            assertThat(read).isEqualTo(message);
        }
        if (!each.direction().equals("=>")) {
            JsonNode expected = mapper.readTree(each.json());
            JsonNode actual = mapper.readTree(form.json(message.toByteArray(), 1 << 20));
            assertThat(actual.path("kind").asText()).isEqualTo(each.type().kind());
            assertThat(actual.path("apiVersion").asText()).isEqualTo(each.type().apiVersion());
            ((ObjectNode) actual).remove(List.of("kind", "apiVersion"));
            assertThat(actual.toPrettyString()).isEqualTo(sorted(expected, actual));
        }
    }

    /** The expected message, with fields in the order in which they were written, as the order is irrelevant. */
    private static String sorted(JsonNode expected, JsonNode actual) {
        return expected.equals(actual) ? actual.toPrettyString() : expected.toPrettyString();
    }

    private DynamicMessage message(Case each) throws Exception {
        String name = DESCRIPTIONS
                .kinds()
                .getOrDefault(
                        each.type(),
                        "k8s.io.apimachinery.pkg.apis.meta.v1." + each.type().kind());
        Descriptor descriptor = DESCRIPTORS.find(name).orElseThrow();
        DynamicMessage.Builder message = DynamicMessage.newBuilder(descriptor);
        // The text format refuses fields by number; those of the additional types are added afterwards.
        if (!ADDED_FIELD.matcher(each.text()).find() || !name.contains("v1alpha1")) {
            TextFormat.getParser().merge(each.text(), message);
            return message.build();
        }
        return withAddedFields(each.text(), message);
    }

    private static DynamicMessage withAddedFields(String text, DynamicMessage.Builder message) throws Exception {
        TextFormat.getParser().merge(ADDED_FIELD.matcher(text).replaceAll(""), message);
        DynamicMessage.Builder result = message.build().toBuilder();
        Descriptor descriptor = message.getDescriptorForType();
        var subjects = descriptor.findFieldByName("subjects");
        var roleRef = descriptor.findFieldByName("roleRef");
        String[] halves = text.split("roleRef", -1);
        result.setRepeatedField(
                subjects,
                0,
                ((DynamicMessage) result.getRepeatedField(subjects, 0))
                        .toBuilder().setUnknownFields(added(halves[0])).build());
        result.setField(
                roleRef,
                ((DynamicMessage) result.getField(roleRef))
                        .toBuilder().setUnknownFields(added(halves[1])).build());
        return result.build();
    }

    private static UnknownFieldSet added(String text) {
        var fields = UnknownFieldSet.newBuilder();
        var found = ADDED_FIELD.matcher(text);
        while (found.find()) {
            fields.mergeField(
                    Integer.parseInt(found.group(1)),
                    UnknownFieldSet.Field.newBuilder()
                            .addLengthDelimited(ByteString.copyFromUtf8(found.group(2)))
                            .build());
        }
        return fields.build();
    }
}
