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
 * Printed help of a program: synopsis, description, commands, and under headings every flag with its value's label and description. A {@link FlagSet}
 * takes names and defaults of its flags from it.
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
        /** Returns the default value in the form of the command line; {@code ""} if there is none. */
        String defaultValue() {
            Matcher matcher = DEFAULT.matcher(description);
            return matcher.matches() ? matcher.group(1) : "";
        }
    }

    HelpText(String text) {
        this.text = text;
        Matcher usage = USAGE.matcher(text.lines().findFirst().orElse(""));
        if (!usage.matches()) {
            throw new IllegalArgumentException("a help text must start with the synopsis");
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

    /** Returns the program's name on the command line. */
    String program() {
        return program;
    }

    /** Returns the program's subcommands. */
    Set<String> commands() {
        return commands;
    }

    /** Returns the flags by name, without dashes. */
    SequencedMap<String, Row> flags() {
        return flags;
    }
}
