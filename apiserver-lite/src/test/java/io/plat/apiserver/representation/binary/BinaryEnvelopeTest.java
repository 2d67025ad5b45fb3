package io.plat.apiserver.representation.binary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1;
import io.plat.review.status.StatusException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The envelope matches the specification byte for byte, and nothing else is accepted. */
class BinaryEnvelopeTest {
    private static final TypeMeta NAMESPACE = new TypeMeta("v1", "Namespace");
    private static final byte[] MESSAGE = V1.Namespace.newBuilder()
            .setStatus(V1.NamespaceStatus.newBuilder().setPhase("Active"))
            .build()
            .toByteArray();

    private static final BinaryForms FORMS = BinaryForms.builtIn();

    private static byte[] enveloped(Runtime.Unknown unknown) {
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(new byte[] {0x6b, 0x38, 0x73, 0x00});
        bytes.writeBytes(unknown.toByteArray());
        return bytes.toByteArray();
    }

    private static Runtime.Unknown.Builder unknown() {
        return Runtime.Unknown.newBuilder()
                .setTypeMeta(Runtime.TypeMeta.newBuilder().setApiVersion("v1").setKind("Namespace"))
                .setRaw(ByteString.copyFrom(MESSAGE));
    }

    private String decoded(byte[] body, TypeMeta expected) throws StatusException {
        return new String(FORMS.decode(body, expected, 1_000), StandardCharsets.UTF_8);
    }

    @Test
    void consistsOfMagicPrefixAndUnknownMessage() {
        assertThat(BinaryEnvelope.wrap(NAMESPACE, MESSAGE))
                .isEqualTo(enveloped(unknown().build()));
        assertThat(HexFormat.of().formatHex(BinaryEnvelope.wrap(new TypeMeta("v1", "P"), new byte[] {7})))
                .isEqualTo("6b387300" + "0a07" + "0a027631" + "120150" + "1201" + "07");
    }

    @Test
    void headerStandsBeforeTheMessage() {
        byte[] header = BinaryEnvelope.header(NAMESPACE, MESSAGE.length);
        byte[] whole = BinaryEnvelope.wrap(NAMESPACE, MESSAGE);
        assertThat(Arrays.copyOf(whole, header.length)).isEqualTo(header);
        assertThat(Arrays.copyOfRange(whole, header.length, whole.length)).isEqualTo(MESSAGE);
    }

    @Test
    void objectRoundTripsWithItsType() throws Exception {
        byte[] json = "{\"status\":{\"phase\":\"Active\"}}".getBytes(StandardCharsets.UTF_8);
        byte[] envelope = FORMS.find(NAMESPACE).orElseThrow().envelope(json);
        assertThat(envelope).isEqualTo(BinaryEnvelope.wrap(NAMESPACE, MESSAGE));
        byte[] decoded = FORMS.decode(envelope, TypeMeta.UNKNOWN, 1_000);
        assertThat(decoded)
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("{\"kind\":\"Namespace\",\"apiVersion\":\"v1\",\"status\":{\"phase\":\"Active\"}}");
    }

    @ParameterizedTest
    @CsvSource({"'',''", "v1,''", "'',Namespace"})
    void envelopeDefaultsToTheExpectedType(String apiVersion, String kind) throws Exception {
        var text = unknown();
        text.getTypeMetaBuilder().clear();
        if (!apiVersion.isEmpty()) {
            text.getTypeMetaBuilder().setApiVersion(apiVersion);
        }
        if (!kind.isEmpty()) {
            text.getTypeMetaBuilder().setKind(kind);
        }
        assertThat(decoded(enveloped(text.build()), NAMESPACE))
                .contains("\"kind\":\"Namespace\",\"apiVersion\":\"v1\"");
        assertThatThrownBy(() -> decoded(enveloped(text.build()), TypeMeta.UNKNOWN))
                .isInstanceOf(StatusException.class)
                .hasMessageContaining("no binary form is known");
    }

    @Test
    void typeOfTheEnvelopeOverridesTheExpectedType() throws Exception {
        assertThat(decoded(enveloped(unknown().build()), new TypeMeta("v1", "Pod")))
                .contains("\"kind\":\"Namespace\"");
    }

    @Test
    void envelopeWithoutAMessageHoldsAnEmptyObject() throws Exception {
        assertThat(decoded(enveloped(unknown().clearRaw().build()), NAMESPACE))
                .isEqualTo("{\"kind\":\"Namespace\",\"apiVersion\":\"v1\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", BinaryEnvelope.MEDIA_TYPE, BinaryEnvelope.KUBERNETES_MEDIA_TYPE})
    void bothContentTypesAreRecognized(String contentType) throws Exception {
        assertThat(decoded(enveloped(unknown().setContentType(contentType).build()), NAMESPACE))
                .contains("Active");
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "application/vnd.platform.protobuf;q=1", "protobuf", "\n"})
    void otherContentTypesAreRefused(String contentType) {
        refused(
                415,
                "content type",
                enveloped(unknown().setContentType(contentType).build()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "identity", " "})
    void contentEncodingsAreRefused(String encoding) {
        refused(
                415,
                "content encoding",
                enveloped(unknown().setContentEncoding(encoding).build()));
    }

    /** Hexadecimal bodies, and the resulting errors. */
    @ParameterizedTest
    @CsvSource({
        "'', empty data",
        "6b3873, does not appear to be a protobuf message",
        "6b387301, does not appear to be a protobuf message",
        "7b7d, does not appear to be a protobuf message",
        "6b387300, no binary form is known of kind \"\"",
        "6b3873000a, is truncated",
        "6b3873000a05, is truncated",
        "6b38730012ffffffff0f, is truncated",
        "6b38730012ffffffffffffffffff01, is truncated",
        "6b38730012ffffffffffffffffffff01, more than ten bytes",
        "6b3873000805, field 1 of the envelope has the wire type 0 instead of 2",
        "6b3873001801, field 3 of the envelope has the wire type 0 instead of 2",
        "6b38730000, field number is invalid",
        "6b3873002e, unknown wire type 6",
        "6b3873002c, a group ends without a start",
        "6b3873002b2b, is truncated",
        "6b3873002201ff, not UTF-8",
        "6b3873000a03120201, is truncated",
        "6b3873000a030a01ff, not UTF-8",
        "6b3873000a020801, field 1 of the type has the wire type 0",
    })
    void malformedEnvelopes(String hex, String problem) {
        refused(400, problem, HexFormat.of().parseHex(hex));
    }

    private void refused(int code, String problem, byte[] body) {
        StatusException refusal =
                catchThrowableOfType(StatusException.class, () -> FORMS.decode(body, TypeMeta.UNKNOWN, 1_000));
        assertThat(refusal).isNotNull();
        assertThat(refusal.status().code()).isEqualTo(code);
        assertThat(refusal.status().message()).contains(problem).doesNotContain("\n");
    }

    @Test
    void unknownFieldsOfTheEnvelopeAreSkipped() throws Exception {
        byte[] envelope = enveloped(unknown().build());
        byte[] longer = Arrays.copyOf(envelope, envelope.length + 4);
        System.arraycopy(new byte[] {0x2a, 0x02, 0x01, 0x02}, 0, longer, envelope.length, 4);
        assertThat(decoded(longer, TypeMeta.UNKNOWN)).contains("Active");
    }
}
