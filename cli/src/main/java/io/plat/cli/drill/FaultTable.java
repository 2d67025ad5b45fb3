package io.plat.cli.drill;

import io.plat.cli.process.ResourceText;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tables of faults: resources with a row of columns, separated by bars, for each fault. */
final class FaultTable {
    /** A repeated character, such as {@code <x*100>}. */
    private static final Pattern REPEATED = Pattern.compile("<(.)\\*([0-9]+)>");

    private FaultTable() {}

    /** Returns the columns of each row; a bar in the last of three is part of it. */
    static List<List<String>> rows(String resource) {
        return ResourceText.read(resource)
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> List.of(line.split("\\|", 3)).stream()
                        .map(String::strip)
                        .toList())
                .toList();
    }

    /** Returns a text with its repetitions written out. */
    static String expanded(String text) {
        return REPEATED.matcher(text)
                .replaceAll(run -> Matcher.quoteReplacement(run.group(1).repeat(Integer.parseInt(run.group(2)))));
    }
}
