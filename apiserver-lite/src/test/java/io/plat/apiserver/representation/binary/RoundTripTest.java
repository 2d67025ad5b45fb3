package io.plat.apiserver.representation.binary;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Both forms agree for every built-in type: JSON round-trips, and Kubernetes' descriptors read the binary form completely and reproduce the
 * object.
 */
class RoundTripTest {
    private static final boolean FULL = Boolean.getBoolean("plat.full");
    private static final int CASES = FULL ? 200 : 12;

    private final long seed = Long.getLong("plat.seed", new Random().nextLong());
    private static final Descriptions DESCRIPTIONS = Descriptions.builtIn();
    private static final DescriptorTable DESCRIPTORS = DescriptorTable.ofKubernetes();
    private static final BinaryForms FORMS = BinaryForms.builtIn();
    private final JsonMapper json = new JsonMapper();

    @TestFactory
    Stream<DynamicTest> jsonAndBinaryAgree() {
        System.out.println("round trips with -Dplat.seed=" + seed);
        return types().stream()
                .map(type -> DynamicTest.dynamicTest(type.apiVersion() + " " + type.kind(), () -> agree(type)));
    }

    /** Each type, and one of each kind that all groups have. */
    private List<TypeMeta> types() {
        return FORMS.types().stream()
                .filter(type -> !List.of("DeleteOptions", "WatchEvent").contains(type.kind())
                        || type.apiVersion().equals("v1"))
                .sorted(Comparator.comparing(TypeMeta::toString))
                .toList();
    }

    private void agree(TypeMeta type) throws Exception {
        String message = DESCRIPTIONS.kinds().get(type);
        assertThat(message).isNotNull();
        Descriptor descriptor = DESCRIPTORS.find(message).orElseThrow();
        var objects = new RandomObjects(DESCRIPTIONS, seed ^ type.hashCode());
        BinaryForm form = FORMS.find(type).orElseThrow();
        for (int i = 0; i < CASES; i++) {
            JsonNode object = objects.object(type, message);
            byte[] written = form.message(json.writeValueAsBytes(object));
            assertEqual(json.readTree(form.json(written, 1 << 26)), object);

            DynamicMessage read = DynamicMessage.parseFrom(descriptor, written);
            if (!message.contains("rbac.v1alpha1")) {
                assertThat(UnknownFields.in(read)).isEmpty();
            }
            assertEqual(json.readTree(form.json(read.toByteArray(), 1 << 26)), object);
        }
    }

    private static void assertEqual(JsonNode actual, JsonNode expected) {
        // Compares numbers by value: 1.0 is written as 1.
        Comparator<JsonNode> byValue = (a, b) ->
                a.isNumber() && b.isNumber() ? a.decimalValue().compareTo(b.decimalValue()) : a.equals(b) ? 0 : 1;
        if (!actual.equals(byValue, expected)) {
            assertThat(actual.toPrettyString()).isEqualTo(expected.toPrettyString());
        }
    }
}
