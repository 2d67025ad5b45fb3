package io.plat.tests.envoy;

import static io.plat.http.testing.RawHttp2.DATA;
import static io.plat.http.testing.RawHttp2.END_HEADERS;
import static io.plat.http.testing.RawHttp2.END_STREAM;
import static io.plat.http.testing.RawHttp2.GOAWAY;
import static io.plat.http.testing.RawHttp2.HEADERS;
import static io.plat.http.testing.RawHttp2.RST_STREAM;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import io.envoyproxy.envoy.service.auth.v3.CheckRequest;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.plat.http.testing.RawHttp2;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls that no gRPC client makes: each ends with a status, and the decider continues. */
class HostileCallsTest {
    private static final String PATH = "/envoy.service.auth.v3.Authorization/Check";
    private static final String GRPC = "application/grpc";
    private static final int FRAME = 16_000;

    private static TestPki pki;
    private static RunningServer decider;

    @BeforeAll
    static void start() {
        pki = TestPki.create().client("envoy").client("other");
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of(
                "--secure-port=0",
                "--authorization-mode=AlwaysAllow",
                "--allowed-client-names=envoy",
                "--envoy-check"));
        decider = RunningServer.start(Program.DECIDER, flags);
    }

    @AfterAll
    static void stop() {
        decider.close();
        pki.close();
    }

    /** After any call, no exception was logged and the next client is served. */
    @AfterEach
    void assertServerContinues() throws IOException {
        try (Call call = new Call("envoy")) {
            call.head();
            call.body(framed(0, good()), true);
            assertThat(call.end()).isEqualTo("grpc 0");
        }
        assertThat(decider.err()).doesNotContain("Exception", "\tat ");
        try (HttpsClient client = HttpsClient.of(pki, "envoy")) {
            assertThat(client.get(decider.at("/livez")).statusCode()).isEqualTo(200);
        }
    }

    /** One stream of a connection. */
    private static final class Call implements AutoCloseable {
        private final RawHttp2 connection;

        Call(String client) throws IOException {
            connection = new RawHttp2(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), decider.port()), pki.tls(client));
        }

        void head() throws IOException {
            head("POST", GRPC, "grpc-accept-encoding", "identity,gzip");
        }

        void head(String method, String type, String name, String value) throws IOException {
            connection.send(
                    HEADERS,
                    END_HEADERS,
                    1,
                    RawHttp2.request(method, PATH, "content-type", type, "te", "trailers", name, value));
        }

        /** Sends a body; the server may respond before its end. */
        void body(byte[] bytes, boolean last) throws IOException {
            int sent = 0;
            do {
                int size = Math.min(FRAME, bytes.length - sent);
                boolean end = last && sent + size == bytes.length;
                connection.send(DATA, end ? END_STREAM : 0, 1, Arrays.copyOfRange(bytes, sent, sent + size));
                sent += size;
            } while (sent < bytes.length);
        }

        void reset() throws IOException {
            connection.send(RST_STREAM, 0, 1, ByteBuffer.allocate(4).putInt(8).array());
        }

        /** Result of the call: {@code grpc CODE}, {@code http STATUS} or {@code reset}. */
        String end() throws IOException {
            DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder();
            @Nullable String status = null;
            @Nullable String code = null;
            while (true) {
                RawHttp2.Frame frame = connection.read();
                if (frame.type() == GOAWAY || (frame.type() == RST_STREAM && frame.stream() == 1)) {
                    return "reset";
                }
                if (frame.type() == HEADERS) {
                    Http2Headers fields = decoded(decoder, frame.payload());
                    status = fields.status() == null ? status : fields.status().toString();
                    code = fields.contains("grpc-status")
                            ? fields.get("grpc-status").toString()
                            : code;
                }
                if (frame.stream() == 1 && frame.ends()) {
                    return code == null ? "http " + status : "grpc " + code;
                }
            }
        }

        private static Http2Headers decoded(DefaultHttp2HeadersDecoder decoder, byte[] block) throws IOException {
            try {
                return decoder.decodeHeaders(1, Unpooled.wrappedBuffer(block));
            } catch (Http2Exception malformed) {
                throw new IOException(malformed);
            }
        }

        @Override
        public void close() throws IOException {
            connection.close();
        }
    }

    private static byte[] good() {
        return EnvoyCalls.message(EnvoyCalls.request("GET", "/a", List.of("x-forwarded-user=alice")))
                .toByteArray();
    }

    private static byte[] framed(int flag, byte[] message) {
        return framed(flag, message.length, message);
    }

    private static byte[] framed(int flag, int length, byte[] message) {
        return ByteBuffer.allocate(5 + message.length)
                .put((byte) flag)
                .putInt(length)
                .put(message)
                .array();
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    /** Field 1 nested repeatedly: the metadata context of the attributes is a Struct, which is recursive. */
    private static byte[] nested(int depth) {
        byte[] value = {0x1a, 1, 'x'};
        for (int i = 0; i < depth; i++) {
            byte[] entry = field(1, join(field(1, "k".getBytes(StandardCharsets.UTF_8)), field(2, value)));
            value = field(5, entry);
        }
        byte[] struct = field(1, join(field(1, new byte[] {'n'}), field(2, value)));
        return field(1, field(11, field(1, join(field(1, new byte[] {'f'}), field(2, struct)))));
    }

    private static byte[] field(int number, byte[] content) {
        byte[] bytes = new byte[CodedOutputStream.computeByteArraySize(number, content)];
        try {
            CodedOutputStream out = CodedOutputStream.newInstance(bytes);
            out.writeByteArray(number, content);
            out.flush();
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
        return bytes;
    }

    private static byte[] body(String kind) {
        byte[] good = good();
        return switch (kind) {
            case "good" -> framed(0, good);
            case "nothing" -> new byte[0];
            case "half a prefix" -> new byte[] {0, 0, 0};
            case "an empty message" -> framed(0, new byte[0]);
            case "truncated" -> framed(0, good.length + 1, good);
            case "a length of 4 GiB" -> framed(0, -1, good);
            case "a length of 2 GiB" -> framed(0, Integer.MAX_VALUE, good);
            case "compressed" -> framed(1, good);
            case "an unknown flag" -> framed(7, good);
            case "two messages" -> join(framed(0, good), framed(0, good));
            case "a message and a byte" -> join(framed(0, good), new byte[1]);
            case "noise" -> framed(0, noise(500));
            case "a truncated field" -> framed(0, Arrays.copyOf(good, good.length - 3));
            case "a wrong wire type" -> framed(0, new byte[] {0x08, 1, 0x0b});
            case "an invalid UTF-8 path" -> framed(0, withPath(ByteString.copyFrom(new byte[] {'/', (byte) 0xff})));
            case "unknown fields" -> framed(0, join(good, field(900, new byte[300]), field(77, noise(40))));
            case "many unknown fields" -> framed(0, join(good, repeated(new byte[] {(byte) 0xf8, 0x06, 1}, 200_000)));
            case "deep nesting" -> framed(0, nested(2_000));
            case "groups in groups" -> framed(0, join(good, repeated(new byte[] {(byte) 0xfb, 0x06}, 100_000)));
            case "no HTTP request" ->
                framed(0, CheckRequest.getDefaultInstance().toByteArray());
            case "1.5 MiB" -> framed(0, join(good, field(900, new byte[3 << 19])));
            default -> throw new IllegalArgumentException(kind);
        };
    }

    private static byte[] withPath(ByteString path) {
        byte[] request = field(4, path.toByteArray());
        return field(1, field(4, field(2, request)));
    }

    private static byte[] repeated(byte[] bytes, int times) {
        ByteBuffer all = ByteBuffer.allocate(bytes.length * times);
        for (int i = 0; i < times; i++) {
            all.put(bytes);
        }
        return all.array();
    }

    private static byte[] noise(int length) {
        byte[] bytes = new byte[length];
        new Random(25).nextBytes(bytes);
        return bytes;
    }

    @ParameterizedTest(name = "a body of {0} ends with {1}")
    @CsvSource({
        "good, grpc 0",
        "nothing, grpc 3",
        "half a prefix, grpc 3",
        "an empty message, grpc 3",
        "truncated, grpc 3",
        "a length of 4 GiB, grpc 3",
        "a length of 2 GiB, grpc 3",
        "compressed, grpc 12",
        "an unknown flag, grpc 3",
        "two messages, grpc 12",
        "a message and a byte, grpc 12",
        "noise, grpc 3",
        "a truncated field, grpc 3",
        "a wrong wire type, grpc 3",
        "an invalid UTF-8 path, grpc 3",
        "unknown fields, grpc 0",
        "many unknown fields, grpc 0",
        "deep nesting, grpc 3",
        "groups in groups, grpc 3",
        "no HTTP request, grpc 3",
        "1.5 MiB, grpc 8",
    })
    void bodies(String kind, String expected) throws IOException {
        try (Call call = new Call("envoy")) {
            call.head();
            call.body(body(kind), true);
            assertThat(call.end()).isEqualTo(expected);
        }
    }

    @ParameterizedTest(name = "{0} with {1} and {2}={3} ends with {4}")
    @CsvSource({
        "POST, application/grpc+proto,        grpc-encoding,     identity,          grpc 0",
        "POST, application/grpc;charset=utf8, x,                 y,                 grpc 0",
        "POST, application/grpc,              grpc-timeout,      10S,               grpc 0",
        "POST, application/grpc,              grpc-timeout,      99999999H,         grpc 0",
        "POST, application/grpc,              grpc-timeout,      1n,                grpc 4",
        "POST, application/grpc,              grpc-timeout,      0S,                grpc 4",
        "POST, application/grpc,              grpc-timeout,      -1S,               grpc 3",
        "POST, application/grpc,              grpc-timeout,      S,                 grpc 3",
        "POST, application/grpc,              grpc-timeout,      999999999S,        grpc 3",
        "POST, application/grpc,              grpc-timeout,      5x,                grpc 3",
        "POST, application/grpc,              content-length,    2000000,           grpc 8",
        "POST, application/grpc+json,         x,                 y,                 http 415",
        "POST, application/grpc-web,          x,                 y,                 http 415",
        "POST, application/json,              x,                 y,                 http 415",
        "PUT,  application/grpc,              x,                 y,                 http 405",
        "GET,  application/grpc,              x,                 y,                 http 405",
    })
    void heads(String method, String type, String name, String value, String expected) throws IOException {
        try (Call call = new Call("envoy")) {
            call.head(method, type, name, value);
            if (!name.equals("content-length")) {
                call.body(body("good"), true);
            }
            assertThat(call.end()).isEqualTo(expected);
        }
    }

    @Test
    void disallowedClientIsRefusedInGrpc() throws IOException {
        try (Call call = new Call("other")) {
            call.head();
            call.body(body("good"), true);
            assertThat(call.end()).isEqualTo("grpc 7");
        }
    }

    @Test
    void resetCallBlocksNobody() throws IOException {
        for (int i = 0; i < 100; i++) {
            try (Call call = new Call("envoy")) {
                call.head();
                call.body(Arrays.copyOf(body("good"), 1 + i), false);
                call.reset();
            }
        }
    }

    @Test
    void oversizedCallIsAnsweredEarly() throws IOException {
        try (Call call = new Call("envoy")) {
            call.head();
            call.body(framed(0, Integer.MAX_VALUE, new byte[1 << 20]), false);
            assertThat(call.end()).isEqualTo("grpc 8");
        }
    }
}
