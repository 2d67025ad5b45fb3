package io.plat.apiserver.representation.binary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.plat.review.status.StatusException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Invalid objects are rejected with a reason, in either form. */
class MalformedInputTest {
    private static final int MUCH = 1 << 26;
    private static final String SCHEMA = "{\"spec\":{\"versions\":[{\"schema\":{\"openAPIV3Schema\":";

    private static final BinaryForms FORMS = BinaryForms.builtIn();

    private BinaryForm form(String apiVersion, String kind) {
        return FORMS.find(new TypeMeta(apiVersion, kind)).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0001',
            value = {
                "Pod| |it is not an object",
                "Pod|null|it is not an object",
                "Pod|[]|it is not an object",
                "Pod|\"a\"|it is not an object",
                "Pod|{|line 1",
                "Pod|{\"spec\":|line 1",
                "Pod|{\"a\":1,}|line 1, column 8",
                "Pod|{} {}|unexpected data after the object",
                "Pod|{}x|line 1",
                "Pod|{\"spec\":[]}|\"/spec\" is an array instead of an object",
                "Pod|{\"spec\":{\"hostNetwork\":\"true\"}}|\"/spec/hostNetwork\" is a string instead of a boolean",
                "Pod|{\"spec\":{\"hostNetwork\":0}}|\"/spec/hostNetwork\" is an integer instead of a boolean",
                "Pod|{\"spec\":{\"nodeName\":{}}}|\"/spec/nodeName\" is an object instead of a string",
                "Pod|{\"spec\":{\"containers\":{}}}|\"/spec/containers\" is an object instead of an array",
                "Pod|{\"spec\":{\"containers\":[\"a\"]}}|\"/spec/containers/0\" is a string instead of an object",
                "Pod|{\"spec\":{\"priority\":1.5}}|\"/spec/priority\" is a fraction instead of an integer",
                "Pod|{\"spec\":{\"priority\":2147483648}}|out of range of int",
                "Pod|{\"metadata\":{\"generation\":9223372036854775808}}|out of range of long",
                "Pod|{\"metadata\":{\"name\":\"a\",\"name\":\"b\"}}|duplicate field \"name\"",
                "Pod|{\"metadata\":{\"labels\":[]}}|\"/metadata/labels\" is an array instead of an object",
                "Pod|{\"metadata\":{\"labels\":{\"a\":1}}}|\"/metadata/labels/a\" is an integer instead of a string",
                "Pod|{\"metadata\":{\"creationTimestamp\":\"now\"}}|\"/metadata/creationTimestamp\" is a string"
                        + " instead of a time",
                "Pod|{\"metadata\":{\"creationTimestamp\":5}}|\"/metadata/creationTimestamp\" is an integer instead of"
                        + " a time",
                "Pod|{\"spec\":{\"overhead\":{\"cpu\":true}}}|\"/spec/overhead/cpu\" is a boolean instead of a"
                        + " quantity",
                "Secret|{\"data\":{\"a\":\"?\"}}|base64",
                "Secret|{\"data\":{\"a\":\"YQ\"}}|base64",
                "Secret|{\"data\":{\"a\":[]}}|\"/data/a\" is an array instead of a string of base64",
                "Service|{\"spec\":{\"ports\":[{\"targetPort\":1.5}]}}|instead of an integer or a string",
                "Service|{\"spec\":{\"ports\":[{\"targetPort\":3000000000}]}}|out of range of int",
                "Pod|{\"metadata\":{\"name\":\"a\tb\"}}|line 1",
            })
    void refusedJson(String kind, @Nullable String json, String problem) {
        byte[] text = json == null ? new byte[0] : json.getBytes(StandardCharsets.UTF_8);
        assertRefused(400, problem, () -> form("v1", kind).message(text));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0001',
            value = {
                "{\"items\":1}|a schema or an array of schemas",
                "{\"items\":[1]}|instead of a schema",
                "{\"additionalProperties\":\"x\"}|a schema or a boolean",
                "{\"dependencies\":{\"a\":1}}|an array of strings",
                "{\"dependencies\":{\"a\":[1]}}|instead of a string",
                "{\"maximum\":\"1\"}|instead of a number",
                "{\"default\":}|line 1",
            })
    void refusedSchemas(String schema, String problem) {
        byte[] text = (SCHEMA + schema + "}}]}}").getBytes(StandardCharsets.UTF_8);
        assertRefused(
                400,
                problem,
                () -> form("apiextensions.k8s.io/v1", "CustomResourceDefinition")
                        .message(text));
    }

    @Test
    void jsonThatIsNotUtf8() {
        byte[] text = "{\"unknown\":\"?\"}".getBytes(StandardCharsets.US_ASCII);
        text[12] = (byte) 0xff;
        assertRefused(400, "it is not UTF-8", () -> form("v1", "Pod").message(text));
    }

    @Test
    void jsonThatIsNestedTooDeep() {
        byte[] unknown = ("{\"x\":" + "[".repeat(10_000) + "]".repeat(10_000) + "}").getBytes(StandardCharsets.UTF_8);
        assertRefused(400, "nesting depth", () -> form("v1", "Pod").message(unknown));
        byte[] known =
                (SCHEMA + "{\"not\":".repeat(300) + "{}" + "}".repeat(300) + "}}]}}").getBytes(StandardCharsets.UTF_8);
        assertRefused(
                400,
                "nesting depth",
                () -> form("apiextensions.k8s.io/v1", "CustomResourceDefinition")
                        .message(known));
    }

    /** Kind, message in hexadecimal, error; fields 1, 2 and 3 are mostly metadata, spec and status. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Pod|0a|is truncated",
                "Pod|0a01|is truncated",
                "Pod|0a020a05|is truncated",
                "Pod|0801|field 1 of Pod has the wire type 0 instead of 2",
                "Pod|0b0c|field 1 of Pod has the wire type 3 instead of 2",
                "Pod|0a0408|is truncated",
                "Pod|0a020801|field 1 of ObjectMeta has the wire type 0 instead of 2",
                "Pod|0a030a01ff|a string is not UTF-8",
                "Pod|0a040a02c080|a string is not UTF-8",
                "Pod|0a050a03eda080|a string is not UTF-8",
                "Pod|0a055a030a01ff|a key is not UTF-8",
                "Pod|0a045a020801|field 1 of an entry has the wire type 0 instead of 2",
                "Pod|0a0c38ffffffffffffffffffff01|more than ten bytes",
                "Pod|0a05420308ff|is truncated",
                "Service|1206 0a04 2202 0802|an IntOrString is neither",
                "ResourceQuota|120b 0a09 0a0161 1204 0a02 317a|a quantity is not",
                "Pod|00|field number is invalid",
                "Pod|fe01|wire type 6",
                "Pod|fb7f|is truncated",
                "Pod|fb01fc00|a group ends without a start",
            })
    void refusedMessages(String kind, String hex, String problem) {
        byte[] message = HexFormat.of().parseHex(hex.replace(" ", ""));
        assertRefused(400, problem, () -> form("v1", kind).json(message, MUCH));
    }

    @ParameterizedTest
    @CsvSource({
        "-62135596801, 0",
        "253402300800, 0",
        "9223372036854775807, 0",
        "-9223372036854775808, 0",
        "0, -1",
        "0, 1000000000",
    })
    void refusedTimes(long seconds, int nanos) {
        var writer = new WireWriter(0);
        writer.varint(WireFormatTest.block(1));
        int metadata = writer.open();
        writer.varint(WireFormatTest.block(8));
        int time = writer.open();
        writer.varint(WireFormatTest.number(1));
        writer.varint(seconds);
        writer.varint(WireFormatTest.number(2));
        writer.varint(nanos);
        writer.close(time);
        writer.close(metadata);
        assertRefused(400, "a time lies outside", () -> form("v1", "Pod").json(writer.toByteArray(), MUCH));
    }

    /** The bytes of a raw extension, and the problem. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0001',
            value = {
                "{|line 1",
                "{} {}|more than one value",
                "[1,]|line 1",
                "nul|line 1",
                "//|line 1",
            })
    void refusedRawValues(String raw, String problem) {
        assertRefused(400, problem, () -> revision(raw.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void emptyRawValues() {
        assertRefused(400, "is truncated", () -> revision(new byte[] {' ', ' '}));
    }

    @Test
    void rawValuesWithAnEnvelopePrefix() {
        assertRefused(400, "no binary form is known", () -> revision(new byte[] {0x6b, 0x38, 0x73, 0}));
        assertRefused(400, "is truncated", () -> revision(new byte[] {0x6b, 0x38, 0x73, 0, 0x0a}));
    }

    @Test
    void rawValuesThatAreNotUtf8() {
        assertRefused(400, "not UTF-8", () -> revision(new byte[] {'"', (byte) 0xc3, '"'}));
    }

    private byte[] revision(byte[] raw) throws StatusException {
        var writer = new WireWriter(raw.length);
        writer.varint(WireFormatTest.block(2));
        int data = writer.open();
        writer.varint(WireFormatTest.block(1));
        writer.block(raw);
        writer.close(data);
        return form("apps/v1", "ControllerRevision").json(writer.toByteArray(), MUCH);
    }

    @Test
    void depthCountsThroughMessagesEnvelopesAndRawValues() throws Exception {
        assertThat(revision(("[".repeat(254) + "]".repeat(254)).getBytes(StandardCharsets.UTF_8)))
                .isNotEmpty();
        assertRefused(
                400,
                "nested deeper",
                () -> revision(("[".repeat(256) + "]".repeat(256)).getBytes(StandardCharsets.UTF_8)));

        byte[] event = new byte[0];
        for (int i = 0; i < 255; i++) {
            event = event(event, 1);
        }
        byte[] nested = event;
        assertThat(FORMS.decode(nested, TypeMeta.UNKNOWN, MUCH)).isNotEmpty();
        byte[] tooDeep = event(event, 2_000);
        assertRefused(400, "nested deeper", () -> FORMS.decode(tooDeep, TypeMeta.UNKNOWN, MUCH));
    }

    private static byte[] event(byte[] inner, int times) {
        byte[] event = inner;
        for (int i = 0; i < times; i++) {
            byte[] frame = BinaryEnvelope.watchFrame("", event);
            event = BinaryEnvelope.wrap(new TypeMeta("v1", "WatchEvent"), Arrays.copyOfRange(frame, 4, frame.length));
        }
        return event;
    }

    @Test
    void messagesThatAreNestedTooDeep() {
        var writer = new WireWriter(0);
        writer.varint(WireFormatTest.block(1));
        for (int i = 0; i < 5_000; i++) {
            var outer = new WireWriter(0);
            outer.nested(WireFormatTest.block(28), writer);
            writer = outer;
        }
        byte[] schema = writer.toByteArray();
        // Location of a schema in a definition: spec, versions, schema, openAPIV3Schema.
        byte[] message = wrapped(schema, 1, 4, 7, 2);
        assertRefused(
                400,
                "nested deeper",
                () -> form("apiextensions.k8s.io/v1", "CustomResourceDefinition")
                        .json(message, MUCH));
    }

    private static byte[] wrapped(byte[] content, int... numbers) {
        byte[] wrapped = content;
        for (int number : numbers) {
            var writer = new WireWriter(0);
            writer.varint(WireFormatTest.block(number));
            writer.block(wrapped);
            wrapped = writer.toByteArray();
        }
        return wrapped;
    }

    /** Two bytes per element become sixty in JSON. */
    @Test
    void smallMessagesThatBecomeLarge() throws Exception {
        var writer = new WireWriter(0);
        for (int i = 0; i < 100_000; i++) {
            writer.varint(WireFormatTest.block(8));
            writer.varint(0);
        }
        byte[] status = writer.toByteArray();
        byte[] message = wrapped(status, 3);
        assertThat(message).hasSizeLessThan(201_000);
        assertThat(form("v1", "Pod").json(message, MUCH)).hasSizeGreaterThan(5_000_000);
        assertRefused(413, "larger than 1000000 bytes", () -> form("v1", "Pod").json(message, 1_000_000));
    }

    private interface Refusable {
        Object run() throws StatusException;
    }

    private static void assertRefused(int code, String problem, Refusable call) {
        StatusException refusal = catchThrowableOfType(StatusException.class, () -> call.run());
        assertThat(refusal).isNotNull();
        assertThat(refusal.status().code()).isEqualTo(code);
        assertThat(refusal.status().message())
                .contains(problem)
                .doesNotContain("\n")
                .hasSizeLessThan(500);
    }
}
