package io.plat.cli.output;

import io.plat.cli.CommandException;
import java.io.IOException;
import java.io.PrintWriter;

/** Where a command's words go: answers to stdout, warnings to stderr. Every line is ended by a line feed on every system. */
public final class Report {
    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean colour;

    /** A report to these streams. */
    public Report(PrintWriter out, PrintWriter err, boolean colour) {
        this.out = out;
        this.err = err;
        this.colour = colour;
    }

    /** A line of the answer. */
    public void print(String line) {
        out.print(line);
        out.print('\n');
        out.flush();
    }

    /** A JSON document of the answer, in a format for programs. */
    public void printDocument(byte[] json, OutputFormat format) {
        try {
            out.print(JsonText.print(json, format));
            out.flush();
        } catch (IOException e) {
            throw CommandException.couldNotTell("the answer is not a JSON document: " + e.getMessage());
        }
    }

    /** A line that is not part of the answer. */
    public void warn(String line) {
        err.print(paint(Colour.YELLOW, "warning:") + " " + line + "\n");
        err.flush();
    }

    /** Text in a colour, where colour is wanted. */
    public String paint(Colour which, String text) {
        return which.paint(text, colour);
    }
}
