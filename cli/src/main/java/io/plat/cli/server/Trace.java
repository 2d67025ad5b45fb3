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
 * Trace of requests and responses, for {@code --v}: from level 1 on each request and the status code, from 8 on the bodies as text. Never a
 * header, as tokens are there; nor a member of a body that is called a token or a password, nor the connection's own token if a server repeats
 * it.
 */
public final class Trace {
    /** The lowest level with bodies. */
    public static final int BODIES = 8;

    private static final String MARK = "(masked)";
    private static final JsonFactory JSON = JsonFactories.create();

    /** Members of bodies that are not shown. */
    private static final Pattern SECRET = Pattern.compile("token|password", Pattern.CASE_INSENSITIVE);

    /** Tokens in URLs: as a parameter (RFC 6750, section 2.3), and before the host. */
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

    /** The same trace of a connection that has a token, or null. */
    Trace of(@Nullable String ownToken) {
        return ownToken == null ? this : new Trace(out, level, ownToken);
    }

    /** Returns whether tracing is enabled. */
    public boolean on() {
        return level > 0;
    }

    /** Traces a request. */
    public void asked(String what, byte[] json) {
        if (on()) {
            say("> " + what);
            body("> ", json);
        }
    }

    /** Traces a response. */
    public void answered(String what, byte[] json) {
        if (on()) {
            say("< " + what);
            body("< ", json);
        }
    }

    private void body(String sign, byte[] json) {
        if (level < BODIES || json.length == 0) {
            return;
        }
        try {
            JsonDocument.print(masked(json), OutputFormat.JSON).lines().forEach(line -> say(sign + line));
        } catch (IOException noJson) {
            say(sign + "(" + json.length + " bytes that are no JSON)");
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

    private void say(String said) {
        String line = ACCESS_TOKEN
                .matcher(token.isEmpty() ? said : said.replace(token, MARK))
                .replaceAll(MARK);
        out.get().print(line + "\n");
        out.get().flush();
    }
}
