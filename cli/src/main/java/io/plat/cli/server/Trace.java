package io.plat.cli.server;

import io.plat.cli.output.JsonDocument;
import io.plat.cli.output.OutputFormat;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.function.Supplier;

/**
 * Tells what is asked and answered, for {@code --v}: from level 1 on each request and the code of its answer, from 8 on the bodies as
 * text. Never a header, as tokens stand there.
 */
public final class Trace {
    /** The level from which on bodies are told. */
    public static final int BODIES = 8;

    private final Supplier<PrintWriter> out;
    private final int level;

    /** A trace to a writer. */
    public Trace(Supplier<PrintWriter> out, int level) {
        this.out = out;
        this.level = level;
    }

    /** Whether anything is told. */
    public boolean on() {
        return level > 0;
    }

    /** Tells what is asked. */
    public void asked(String what, byte[] json) {
        if (on()) {
            say("> " + what);
            body("> ", json);
        }
    }

    /** Tells what was answered. */
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
            JsonDocument.print(json, OutputFormat.JSON).lines().forEach(line -> say(sign + line));
        } catch (IOException noJson) {
            say(sign + "(" + json.length + " bytes that are no JSON)");
        }
    }

    private void say(String line) {
        out.get().print(line + "\n");
        out.get().flush();
    }
}
