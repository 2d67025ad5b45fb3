package io.plat.apiserver.representation.binary;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Message;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Resource;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Apps;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Properties of the wire format without an equivalent in JSON: any order, repetition, fragments, packing, and unknown fields. */
class WireOdditiesTest {
    private static final int MUCH = 1 << 20;

    private static final BinaryForms FORMS = BinaryForms.builtIn();

    /** Writes some fields of a message. */
    private interface Fields {
        void write(CodedOutputStream out) throws IOException;
    }

    private static byte[] message(Fields fields) throws IOException {
        var bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        fields.write(out);
        out.flush();
        return bytes.toByteArray();
    }

    private static byte[] concatenated(Message... parts) {
        var bytes = new ByteArrayOutputStream();
        for (Message part : parts) {
            bytes.writeBytes(part.toByteArray());
        }
        return bytes.toByteArray();
    }

    /** The JSON text without kind and apiVersion. */
    private String json(String apiVersion, String kind, byte[] message) throws Exception {
        byte[] json = FORMS.find(new TypeMeta(apiVersion, kind)).orElseThrow().json(message, MUCH);
        String text = new String(json, StandardCharsets.UTF_8);
        String head = "{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + apiVersion + "\",";
        assertThat(text).startsWith(head);
        return "{" + text.substring(head.length());
    }

    @Test
    void lastValueOfASingularFieldWins() throws Exception {
        byte[] secret = concatenated(
                V1.Secret.newBuilder().setType("a").setImmutable(true).build(),
                V1.Secret.newBuilder().setType("b").setImmutable(false).build());
        assertThat(json("v1", "Secret", secret)).isEqualTo("{\"type\":\"b\",\"immutable\":false}");
    }

    @Test
    void trailingZeroClearsTheField() throws Exception {
        byte[] secret = concatenated(
                V1.Secret.newBuilder().setType("a").setImmutable(true).build(),
                V1.Secret.newBuilder().setType("").build());
        assertThat(json("v1", "Secret", secret)).isEqualTo("{\"immutable\":true}");
    }

    @Test
    void singularMessagesAreMerged() throws Exception {
        byte[] pod = concatenated(
                V1.Pod.newBuilder()
                        .setMetadata(Meta.ObjectMeta.newBuilder().setName("a").addFinalizers("f"))
                        .build(),
                V1.Pod.newBuilder()
                        .setStatus(V1.PodStatus.newBuilder().setPhase("Running"))
                        .build(),
                V1.Pod.newBuilder()
                        .setMetadata(
                                Meta.ObjectMeta.newBuilder().setNamespace("n").addFinalizers("g"))
                        .build());
        assertThat(json("v1", "Pod", pod))
                .isEqualTo("{\"metadata\":{\"name\":\"a\",\"namespace\":\"n\",\"finalizers\":[\"f\",\"g\"]},"
                        + "\"status\":{\"phase\":\"Running\"}}");
    }

    @Test
    void inlinedMessagesAreMerged() throws Exception {
        byte[] first = V1.Volume.newBuilder()
                .setVolumeSource(V1.VolumeSource.newBuilder()
                        .setEmptyDir(V1.EmptyDirVolumeSource.newBuilder().setMedium("Memory")))
                .build()
                .toByteArray();
        byte[] second = V1.Volume.newBuilder()
                .setVolumeSource(V1.VolumeSource.newBuilder()
                        .setEmptyDir(V1.EmptyDirVolumeSource.newBuilder()
                                .setSizeLimit(Resource.Quantity.newBuilder().setString("1Gi"))))
                .setName("v")
                .build()
                .toByteArray();
        byte[] volume = new byte[first.length + second.length];
        System.arraycopy(first, 0, volume, 0, first.length);
        System.arraycopy(second, 0, volume, first.length, second.length);
        byte[] pod = message(out -> out.writeByteArray(2, message(spec -> spec.writeByteArray(1, volume))));
        assertThat(json("v1", "Pod", pod))
                .isEqualTo(
                        "{\"spec\":{\"volumes\":[{\"name\":\"v\",\"emptyDir\":{\"medium\":\"Memory\",\"sizeLimit\":\"1Gi\"}}],"
                                + "\"containers\":[]}}");
    }

    @Test
    void interleavedElementsKeepTheirOrder() throws Exception {
        byte[] metadata = message(out -> {
            out.writeString(14, "first");
            out.writeString(1, "name");
            out.writeString(14, "second");
            out.writeInt64(7, 5);
            out.writeString(14, "third");
        });
        assertThat(json("v1", "Pod", message(out -> out.writeByteArray(1, metadata))))
                .isEqualTo("{\"metadata\":{\"name\":\"name\",\"generation\":5,"
                        + "\"finalizers\":[\"first\",\"second\",\"third\"]}}");
    }

    @Test
    void numbersMayBePacked() throws Exception {
        byte[] context = message(out -> {
            out.writeInt64(4, 1);
            out.writeByteArray(4, message(packed -> {
                packed.writeInt64NoTag(-2);
                packed.writeInt64NoTag(0);
                packed.writeInt64NoTag(300);
            }));
            out.writeByteArray(4, new byte[0]);
            out.writeInt64(4, 4);
        });
        byte[] pod = message(out -> out.writeByteArray(2, message(spec -> spec.writeByteArray(14, context))));
        assertThat(json("v1", "Pod", pod))
                .isEqualTo(
                        "{\"spec\":{\"containers\":[],\"securityContext\":{\"supplementalGroups\":[1,-2,0,300,4]}}}");
    }

    @Test
    void mapsAreSortedAndTheLastValueWins() throws Exception {
        byte[] data = message(out -> {
            out.writeByteArray(2, entry("b", "1"));
            out.writeByteArray(2, entry("\uD83D\uDE00", "4"));
            out.writeByteArray(2, entry("a", "2"));
            out.writeByteArray(2, entry("\uFF5E", "5"));
            out.writeByteArray(2, entry("b", "3"));
            out.writeByteArray(2, entry("", "0"));
        });
        // Servers sort by bytes: U+FF5E before U+1F600, although its UTF-16 form is greater.
        assertThat(json("v1", "ConfigMap", data))
                .isEqualTo("{\"data\":{\"\":\"0\",\"a\":\"2\",\"b\":\"3\",\"\uFF5E\":\"5\",\"\uD83D\uDE00\":\"4\"}}");
    }

    private static byte[] entry(String key, String value) throws IOException {
        return message(out -> {
            out.writeString(2, value);
            out.writeString(1, key);
        });
    }

    @Test
    void unknownFieldsAreSkipped() throws Exception {
        byte[] secret = message(out -> {
            out.writeInt64(100, -1);
            out.writeFixed64(101, 5);
            out.writeFixed32(102, 5);
            out.writeString(103, "x");
            out.writeTag(104, 3);
            out.writeString(3, "inside a group");
            out.writeTag(1, 3);
            out.writeTag(1, 4);
            out.writeTag(104, 4);
            out.writeString(3, "t");
            out.writeString(536_870_911, "the largest number");
        });
        assertThat(json("v1", "Secret", secret)).isEqualTo("{\"type\":\"t\"}");
    }

    /** Numbers that are too large for their type lose their upper bits, as in all implementations. */
    @Test
    void numbersAreTruncated() throws Exception {
        byte[] pod = message(out -> out.writeByteArray(2, message(spec -> {
            spec.writeUInt64(25, 0xffff_ffff_0000_0007L);
            spec.writeUInt64(11, 0x100);
        })));
        assertThat(json("v1", "Pod", pod))
                .isEqualTo("{\"spec\":{\"containers\":[],\"hostNetwork\":true,\"priority\":7}}");
    }

    @Test
    void extensionsMayHoldWholeObjects() throws Exception {
        byte[] inner = BinaryEnvelope.wrap(
                new TypeMeta("v1", "Secret"),
                V1.Secret.newBuilder().setType("t").build().toByteArray());
        byte[] revision = V1Apps.ControllerRevision.newBuilder()
                .setData(Runtime.RawExtension.newBuilder().setRaw(ByteString.copyFrom(inner)))
                .build()
                .toByteArray();
        assertThat(json("apps/v1", "ControllerRevision", revision))
                .isEqualTo("{\"data\":{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"type\":\"t\"},\"revision\":0}");
    }

    @Test
    void extensionsKeepTheirJsonText() throws Exception {
        String text = " { \"a\" : 1.50, \"b\":[ 1e400 , 123456789012345678901234567890 , \"\\u00e9\" ]\n} ";
        byte[] revision = V1Apps.ControllerRevision.newBuilder()
                .setData(Runtime.RawExtension.newBuilder().setRaw(ByteString.copyFromUtf8(text)))
                .setRevision(2)
                .build()
                .toByteArray();
        assertThat(json("apps/v1", "ControllerRevision", revision))
                .isEqualTo(
                        "{\"data\":{\"a\":1.50,\"b\":[1E+400,123456789012345678901234567890,\"é\"]},\"revision\":2}");
    }

    /** Many threads may use one form, even at first use, when its plans are created. */
    @Test
    void manyThreadsAtOnce() throws Exception {
        byte[] json = ThroughputTest.pod();
        BinaryForm alone = FORMS.find(new TypeMeta("v1", "Pod")).orElseThrow();
        byte[] expected = alone.message(alone.json(alone.message(json), MUCH));
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 3; round++) {
                BinaryForms fresh = BinaryForms.builtIn();
                var tasks = new ArrayList<Callable<byte[]>>();
                for (int i = 0; i < 50; i++) {
                    tasks.add(() -> {
                        BinaryForm form = fresh.find(new TypeMeta("v1", "Pod")).orElseThrow();
                        return form.message(form.json(form.message(json), MUCH));
                    });
                }
                List<Future<byte[]>> results = executor.invokeAll(tasks);
                for (Future<byte[]> result : results) {
                    assertThat(result.get()).isEqualTo(expected);
                }
            }
        }
    }
}
