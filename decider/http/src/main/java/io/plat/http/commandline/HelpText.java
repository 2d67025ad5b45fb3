package io.plat.http.commandline;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Help of a program as it is printed: synopsis, description, commands, and under headings every flag with its value's label and description.
 * Names and defaults of the flags that a {@link FlagSet} declares are taken from it.
 */
final class HelpText {
    private static final Pattern USAGE = Pattern.compile("Usage: (.+) \\[flags]");
    private static final Pattern COMMAND = Pattern.compile("  ([a-z]+)");
    private static final Pattern FLAG = Pattern.compile("  --([a-z0-9-]+)(?:=(.+))?");
    private static final Pattern DEFAULT = Pattern.compile(".* \\(default ([^ )]+)\\)");

    private final String text;
    private final String program;
    private final Set<String> commands = new LinkedHashSet<>();
    private final SequencedMap<String, Row> flags = new LinkedHashMap<>();

    /**
     * Help of a flag.
     *
     * @param label the label of the value, or {@code ""}
     * @param description one or more sentences
     */
    record Row(String label, String description) {
        /** The value without the flag, in the form in which a user would write it; {@code ""} where there is none. */
        String defaultValue() {
            Matcher found = DEFAULT.matcher(description);
            return found.matches() ? found.group(1) : "";
        }
    }

    HelpText(String text) {
        this.text = text;
        Matcher usage = USAGE.matcher(text.lines().findFirst().orElse(""));
        if (!usage.matches()) {
            throw new IllegalArgumentException("a help text begins with how the program is called");
        }
        program = usage.group(1);
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            Matcher command = COMMAND.matcher(lines.get(i));
            Matcher flag = FLAG.matcher(lines.get(i));
            if (command.matches()) {
                commands.add(command.group(1));
            } else if (flag.matches()) {
                String description = lines.stream()
                        .skip(i + 1L)
                        .takeWhile(line -> line.startsWith("      "))
                        .map(String::strip)
                        .collect(Collectors.joining(" "));
                flags.put(flag.group(1), new Row(Objects.requireNonNullElse(flag.group(2), ""), description));
            }
        }
    }

    String text() {
        return text;
    }

    /** The program's name, as a user calls it. */
    String program() {
        return program;
    }

    /** The commands that the program has beside running. */
    Set<String> commands() {
        return commands;
    }

    /** The flags by their names, without dashes. */
    SequencedMap<String, Row> flags() {
        return flags;
    }
}
