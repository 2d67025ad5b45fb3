package io.plat.tests.foreign;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A session of commands and outputs, from a file in the format of {@code resources/kubectl/README.md}.
 *
 * @param name file name without extension
 * @param files files in the working directory
 * @param steps commands in order
 */
record Session(String name, Map<String, String> files, List<Step> steps) {
    private static final Pattern WORD = Pattern.compile("(?:[^\\s']|'[^']*')+");
    private static final Pattern STATUS = Pattern.compile("\\[(\\d+)] (.*)");
    private static final Pattern VARIABLE = Pattern.compile("([A-Z_]+)=(.*)");

    /**
     * A command line.
     *
     * @param line command line as typed
     * @param status exit status
     * @param environment environment variables
     * @param arguments its words
     * @param printed its output
     */
    record Step(String line, int status, Map<String, String> environment, List<String> arguments, Pattern printed) {}

    /** Reads a session. */
    static Session read(String name) throws IOException {
        String file = "/kubectl/" + name + ".session";
        try (InputStream in = Objects.requireNonNull(Session.class.getResourceAsStream(file), file)) {
            var parts = new LinkedHashMap<String, StringBuilder>();
            var current = new StringBuilder();
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                if (line.startsWith("== ")) {
                    current = new StringBuilder();
                    parts.put(line.substring("== ".length()), current);
                } else {
                    current.append(line).append('\n');
                }
            }
            String session =
                    Objects.requireNonNull(parts.remove("session"), file).toString();
            var files = new LinkedHashMap<String, String>();
            parts.forEach((part, text) -> files.put(part, text.toString()));
            return new Session(name, files, steps(session));
        }
    }

    private static List<Step> steps(String session) {
        var steps = new ArrayList<Step>();
        String command = "";
        var printed = new StringBuilder();
        for (String line : (session + "$ \n").lines().toList()) {
            if (line.startsWith("$ ")) {
                if (!command.isEmpty()) {
                    steps.add(step(command, printed.toString()));
                }
                command = line.substring("$ ".length());
                printed.setLength(0);
            } else if (!line.startsWith("#")) {
                printed.append(line).append('\n');
            }
        }
        return steps;
    }

    private static Step step(String line, String printed) {
        Matcher status = STATUS.matcher(line);
        boolean fails = status.matches();
        var environment = new LinkedHashMap<String, String>();
        var arguments = new ArrayList<String>();
        WORD.matcher(fails ? status.group(2) : line).results().forEach(found -> {
            String word = found.group().replace("'", "");
            Matcher variable = VARIABLE.matcher(word);
            if (arguments.isEmpty() && variable.matches()) {
                environment.put(variable.group(1), variable.group(2));
            } else {
                arguments.add(word);
            }
        });
        return new Step(line, fails ? Integer.parseInt(status.group(1)) : 0, environment, arguments, pattern(printed));
    }

    /** {@code <*>} matches any text within a line, a line of three dots any lines. */
    private static Pattern pattern(String printed) {
        var pattern = new StringBuilder();
        for (String line : printed.lines().toList()) {
            if (line.equals("...")) {
                pattern.append("(?:.*\n)*?");
            } else {
                // The width of a column depends on text such as ages.
                pattern.append(Pattern.quote(line).replace("<*>", "\\E.*\\Q").replaceAll(" {2,}", "\\\\E +\\\\Q"))
                        .append(" *\n");
            }
        }
        return Pattern.compile(pattern.toString());
    }

    /** Writes its files. */
    void writeTo(Path directory) throws IOException {
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = directory.resolve(file.getKey());
            Files.createDirectories(Objects.requireNonNull(path.getParent()));
            Files.writeString(path, file.getValue());
        }
    }
}
