package io.plat.tests.hostile;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.zip.GZIPOutputStream;

/** Request bodies that are expensive for their size, have a wrong length, or are ambiguous. */
final class HostileBodies {
    private static final int LARGE = 20_000;

    private HostileBodies() {}

    /**
     * A body with its header fields.
     *
     * @param type value of Content-Type
     * @param encoding value of Content-Encoding; {@code ""} for none
     * @param text the body, in ISO 8859-1
     */
    record Body(String type, String encoding, String text) {
        Body(String type, String encoding, byte[] bytes) {
            this(type, encoding, new String(bytes, StandardCharsets.ISO_8859_1));
        }

        static Body text(String type, String text) {
            return new Body(type, "", text);
        }

        byte[] bytes() {
            return text.getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    static Body random(Random random) {
        return switch (random.nextInt(14)) {
            case 0 -> Body.text("application/json", "[".repeat(1 + random.nextInt(LARGE)));
            case 1 -> Body.text("application/json", "{\"a\":".repeat(1 + random.nextInt(LARGE)) + "1");
            case 2 ->
                Body.text(
                        "application/json",
                        "{\"metadata\":{\"name\":\"n\"},\"x\":" + "9".repeat(1 + random.nextInt(LARGE)) + "}");
            case 3 ->
                Body.text("application/json", "{\"metadata\":{\"name\":\"n\"},\"data\":{" + equalHashes(random) + "}}");
            case 4 ->
                Body.text(
                        "application/json",
                        "{\"kind\":\"Secret\",\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"n\",\"namespace\":\"closed\"}}");
            case 5 -> Body.text("application/yaml", aliases(2 + random.nextInt(12)));
            case 6 ->
                Body.text(
                        "application/yaml",
                        "!!javax.script.ScriptEngineManager [!!java.net.URL [\"https://localhost\"]]\n");
            case 7 -> Body.text("application/yaml", "&a [*a, *a]\n" + "- ".repeat(random.nextInt(2000)));
            case 8 -> new Body("application/json", "gzip", zipped(1 << (10 + random.nextInt(14))));
            case 9 -> new Body("application/vnd.kubernetes.protobuf", "", envelope(random));
            case 10 -> new Body("application/vnd.platform.protobuf", "", noise(random, 1 + random.nextInt(200)));
            case 11 ->
                Body.text(
                        "application/json",
                        "{\"metadata\":{\"name\":\"n\",\"finalizers\":[" + "\"a/b\",".repeat(random.nextInt(2000))
                                + "\"a/b\"]}}");
            case 12 -> new Body("application/json", "", noise(random, random.nextInt(300)));
            default ->
                Body.text(
                        TYPES[random.nextInt(TYPES.length)],
                        "[{\"op\":\"copy\",\"from\":\"\",\"path\":\"/data/" + random.nextInt() + "\"}]");
        };
    }

    private static final String[] TYPES = {
        "application/json-patch+json",
        "application/merge-patch+json",
        "application/strategic-merge-patch+json",
        "application/apply-patch+yaml",
        "text/plain",
        "application/x-www-form-urlencoded",
        "",
        ";",
        "a/b;q=\"",
        "application/json;charset=utf-7",
        "multipart/form-data; boundary=x",
    };

    /** Keys with equal {@code String.hashCode}. */
    private static String equalHashes(Random random) {
        var keys = new StringBuilder();
        int bits = 1 + random.nextInt(10);
        for (int i = 0; i < 1 << bits; i++) {
            keys.append(i == 0 ? "\"" : ",\"");
            for (int bit = 0; bit < bits; bit++) {
                keys.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            keys.append("\":\"\"");
        }
        return keys.toString();
    }

    private static String aliases(int levels) {
        var text = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x]\n");
        for (int level = 1; level < levels; level++) {
            text.append(
                    "a%d: &a%d [%s*a%d]\n".formatted(level, level, ("*a" + (level - 1) + ",").repeat(8), level - 1));
        }
        return text.toString();
    }

    private static byte[] zipped(int zeros) {
        var bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(new byte[zeros]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** A binary envelope with a wrong length. */
    private static byte[] envelope(Random random) {
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(new byte[] {0x6b, 0x38, 0x73, 0});
        for (int field = 1; field <= 2; field++) {
            bytes.write((field << 3) | 2);
            long length = random.nextBoolean() ? random.nextInt(100) : random.nextLong();
            for (long rest = length; ; rest >>>= 7) {
                if ((rest & ~0x7fL) == 0) {
                    bytes.write((int) rest);
                    break;
                }
                bytes.write((int) ((rest & 0x7f) | 0x80));
            }
            bytes.writeBytes(noise(random, random.nextInt(60)));
        }
        return bytes.toByteArray();
    }

    private static byte[] noise(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
