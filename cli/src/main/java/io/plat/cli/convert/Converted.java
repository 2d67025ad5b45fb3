package io.plat.cli.convert;

import io.plat.cli.output.OutputFormat;
import java.util.List;

/**
 * A policy in the other form.
 *
 * @param document what can be said
 * @param unsaid what can't, each with its place and the reason
 * @param assumed what was taken for granted
 */
record Converted(Document document, List<String> unsaid, List<String> assumed) {
    Converted {
        unsaid = List.copyOf(unsaid);
        assumed = List.copyOf(assumed);
    }

    /** A policy that can be written. */
    interface Document {
        /** As it stands in a file, with line ends. */
        String text();

        /** As one JSON document; what {@link OutputFormat#YAML} is made of too. */
        byte[] json();
    }
}
