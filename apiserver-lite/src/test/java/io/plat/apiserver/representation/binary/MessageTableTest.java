package io.plat.apiserver.representation.binary;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The shipped tables match the descriptors and the schemas, and the plans are complete. */
class MessageTableTest {
    private static final DescriptorTable DESCRIPTORS = DescriptorTable.ofKubernetes();
    private static final Descriptions DESCRIPTIONS = Descriptions.builtIn();
    private static final BinaryForms PLANS = BinaryForms.builtIn();

    private List<String> roots() {
        var roots = new TreeSet<String>();
        SchemaFiles.definitions().keySet().forEach(name -> roots.add(Descriptions.messageOf(name)));
        var kinds = new TreeSet<>(DESCRIPTIONS.kinds().values());
        roots.addAll(kinds);
        return List.copyOf(roots);
    }

    @Test
    void tableIsDerivedFromTheDescriptors() throws IOException {
        String derived = DESCRIPTORS.text(roots());
        Files.writeString(Path.of("target", "messages.txt"), derived);
        try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream("messages.txt"))) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .as("messages.txt differs from target/messages.txt")
                    .isEqualTo(derived);
        }
    }

    @Test
    void plansAreDerivedFromTheTables() throws IOException {
        String derived = PlanTable.text(DESCRIPTIONS);
        Files.writeString(Path.of("target", "plans.txt"), derived);
        try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream("plans.txt"))) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .as("plans.txt differs from target/plans.txt")
                    .isEqualTo(derived);
        }
    }

    @Test
    void addedFieldNumbersDoNotCollide() {
        SchemaFiles.read("additional-types.json").path("fields").properties().forEach(added -> {
            var descriptor = DESCRIPTORS.find(added.getKey()).orElseThrow();
            added.getValue().forEach(line -> {
                String[] words = line.asText().split(" ", -1);
                assertThat(descriptor.findFieldByNumber(Integer.parseInt(words[0])))
                        .isNull();
                assertThat(descriptor.findFieldByName(words[1])).isNull();
            });
        });
    }

    @Test
    void zeroValuesNameExistingFields() throws IOException {
        try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream("zero-values.txt"))) {
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                String[] words = line.split(" ", -1);
                for (String field : List.of(words).subList(1, words.length)) {
                    assertThat(PLANS.plan(words[0]).named(field)).as(line).isNotNull();
                }
            }
        }
    }

    /** Only kind and apiVersion may be missing, as the envelope contains them. */
    @Test
    void everySchemaFieldHasANumber() {
        var lost = new TreeMap<String, List<String>>();
        SchemaFiles.definitions().forEach((name, definition) -> {
            String message = Descriptions.messageOf(name);
            if (definition.has("properties") && DESCRIPTORS.find(message).isPresent()) {
                MessagePlan plan = plan(message);
                definition.path("properties").fieldNames().forEachRemaining(field -> {
                    boolean inEnvelope = field.equals("kind") || field.equals("apiVersion");
                    if (plan.named(field) == null && !inEnvelope) {
                        lost.computeIfAbsent(name, key -> new ArrayList<>()).add(field);
                    }
                });
            }
        });
        assertThat(lost).isEmpty();
    }

    /** Returns the plan of a message, even if no type's objects contain it. */
    private MessagePlan plan(String message) {
        return new BinaryForms(
                        PlanTable.text(DESCRIPTIONS, Set.of(message)).lines().toList())
                .plan(message);
    }

    @Test
    void inlinedMessagesAreTheKnownOnes() {
        var inlined = new TreeSet<String>();
        for (String definition : SchemaFiles.definitions().keySet()) {
            String message = Descriptions.messageOf(definition);
            if (DESCRIPTORS.find(message).isPresent()
                    && DESCRIPTIONS.schema(message).isPresent()) {
                collectInlined(plan(message), inlined);
            }
        }
        assertThat(inlined)
                .containsExactlyInAnyOrder(
                        "ConfigMapEnvSource > LocalObjectReference",
                        "ConfigMapKeySelector > LocalObjectReference",
                        "ConfigMapProjection > LocalObjectReference",
                        "ConfigMapVolumeSource > LocalObjectReference",
                        "DeviceAllocationConfiguration > DeviceConfiguration",
                        "DeviceClaimConfiguration > DeviceConfiguration",
                        "DeviceClassConfiguration > DeviceConfiguration",
                        "EphemeralContainer > EphemeralContainerCommon",
                        "IngressRule > IngressRuleValue",
                        "NamedRuleWithOperations > RuleWithOperations",
                        "PersistentVolumeSpec > PersistentVolumeSource",
                        "Probe > ProbeHandler",
                        "RuleWithOperations > Rule",
                        "SecretEnvSource > LocalObjectReference",
                        "SecretKeySelector > LocalObjectReference",
                        "SecretProjection > LocalObjectReference",
                        "Volume > VolumeSource");
    }

    private static void collectInlined(MessagePlan plan, Set<String> into) {
        for (int slot = 0; slot < plan.size(); slot++) {
            FieldPlan part = plan.field(slot);
            if (part.kind() == ValueKind.INLINED) {
                into.add(plan.shortName() + " > " + part.plan().shortName());
                collectInlined(part.plan(), into);
            }
        }
    }

    /** The constants for lists, list metadata and special messages equal the descriptors' numbers. */
    @Test
    void fixedNumbersMatchTheDescriptors() {
        var expected = Map.of(
                "k8s.io.apimachinery.pkg.apis.meta.v1.ListMeta",
                "resourceVersion=2 continue=3 remainingItemCount=4",
                "k8s.io.apimachinery.pkg.apis.meta.v1.WatchEvent",
                "type=1 object=2",
                "k8s.io.apimachinery.pkg.apis.meta.v1.Time",
                "seconds=1 nanos=2",
                "k8s.io.apimachinery.pkg.apis.meta.v1.MicroTime",
                "seconds=1 nanos=2",
                "k8s.io.apimachinery.pkg.util.intstr.IntOrString",
                "type=1 intVal=2 strVal=3",
                "k8s.io.apimachinery.pkg.runtime.Unknown",
                "typeMeta=1 raw=2 contentEncoding=3 contentType=4",
                "k8s.io.apimachinery.pkg.runtime.TypeMeta",
                "apiVersion=1 kind=2",
                PROPS + "OrArray",
                "schema=1 jSONSchemas=2",
                PROPS + "OrBool",
                "allows=1 schema=2",
                PROPS + "OrStringArray",
                "schema=1 property=2");
        expected.forEach((message, fields) -> {
            for (String field : fields.split(" ", -1)) {
                String[] parts = field.split("=", -1);
                assertThat(DESCRIPTORS
                                .find(message)
                                .orElseThrow()
                                .findFieldByName(parts[0])
                                .getNumber())
                        .as(message + "." + parts[0])
                        .isEqualTo(Integer.parseInt(parts[1]));
            }
        });
        DESCRIPTIONS.kinds().forEach((type, message) -> {
            // The earlier list of metadata is written from its JSON like any message.
            boolean itself = type.apiVersion().equals("meta.k8s.io/v1beta1");
            if (!itself
                    && type.kind().endsWith("List")
                    && DESCRIPTORS.find(message).orElseThrow().findFieldByName("items") != null) {
                var list = DESCRIPTORS.find(message).orElseThrow();
                assertThat(list.findFieldByName("metadata").getNumber()).isEqualTo(BinaryList.METADATA_NUMBER);
                assertThat(list.findFieldByName("items").getNumber()).isEqualTo(BinaryList.ITEMS_NUMBER);
            }
        });
    }

    private static final String PROPS = "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";
}
