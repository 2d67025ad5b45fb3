package io.plat.cli.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.cli.output.JsonDocument;
import io.plat.cli.output.OutputFormat;
import io.plat.review.json.JsonFactories;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Trace of requests and responses, for {@code --v}: from level 1 on each request and the status code, from 8 on the bodies as text. Headers
 * are never shown, as they contain tokens; nor are body members named token or password, or the connection's token if a server repeats it.
 */
public final class Trace {
    /** Minimum level for bodies. */
    public static final int BODIES = 8;

    private static final String MARK = "(masked)";
    private static final JsonFactory JSON = JsonFactories.create();

    /** Hidden members of bodies. */
    private static final Pattern SECRET = Pattern.compile("token|password", Pattern.CASE_INSENSITIVE);

    /** Tokens in URLs: parameter (RFC 6750, section 2.3) and user information. */
    private static final Pattern ACCESS_TOKEN =
            Pattern.compile("(?<=[?&]access_token=)[^&\\s]*|(?<=://)[^/@\\s]+(?=@)");

    private final Supplier<PrintWriter> out;
    private final int level;
    private final String token;

    public Trace(Supplier<PrintWriter> out, int level) {
        this(out, level, "");
    }

    private Trace(Supplier<PrintWriter> out, int level, String token) {
        this.out = out;
        this.level = level;
        this.token = token;
    }

    /** Returns this trace for a connection with a token, or null. */
    Trace of(@Nullable String ownToken) {
        return ownToken == null ? this : new Trace(out, level, ownToken);
    }

    /** Returns whether tracing is enabled. */
    public boolean on() {
        return level > 0;
    }

    public void request(String what, byte[] json) {
        print("> ", what, json);
    }

    public void response(String what, byte[] json) {
        print("< ", what, json);
    }

    private void print(String sign, String what, byte[] json) {
        if (!on()) {
            return;
        }
        print(sign + what);
        if (level < BODIES || json.length == 0) {
            return;
        }
        try {
            JsonDocument.print(masked(json), OutputFormat.JSON).lines().forEach(line -> print(sign + line));
        } catch (IOException noJson) {
            print(sign + "(" + json.length + " bytes that are not JSON)");
        }
    }

    private static byte[] masked(byte[] json) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(json.length);
        try (JsonParser in = JSON.createParser(json);
                JsonGenerator to = JSON.createGenerator(bytes)) {
            while (in.nextToken() != null) {
                to.copyCurrentEventExact(in);
                if (in.currentToken() == JsonToken.FIELD_NAME
                        && SECRET.matcher(in.currentName()).find()) {
                    in.nextToken();
                    in.skipChildren();
                    to.writeString(MARK);
                }
            }
        }
        return bytes.toByteArray();
    }

    private void print(String text) {
        String line = ACCESS_TOKEN
                .matcher(token.isEmpty() ? text : text.replace(token, MARK))
                .replaceAll(MARK);
        out.get().print(line + "\n");
        out.get().flush();
    }
}
