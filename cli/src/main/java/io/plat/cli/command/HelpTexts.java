package io.plat.cli.command;

import io.plat.cli.process.ResourceText;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Descriptions of commands, parameters and flags in help and manual pages: the sections of {@code help.txt}. They are added on demand, as no
 * other run needs them.
 */
public final class HelpTexts {
    /** The section of flags that several commands have. */
    private static final String COMMON = "*";

    private static final Pattern SECTION = Pattern.compile("\\[(.+)]");
    private static final Pattern ARGUMENT = Pattern.compile("(?:--)?([^ :]+): (.*)");

    private HelpTexts() {}

    /** Adds them to a program and all of its commands. */
    public static void addTo(CommandLine program) {
        Map<String, Map<String, String>> sections = new HashMap<>();
        Map<String, String> section = new HashMap<>();
        for (String line : ResourceText.read("help.txt")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .toList()) {
            Matcher begun = SECTION.matcher(line);
            Matcher argument = ARGUMENT.matcher(line);
            if (begun.matches()) {
                section = sections.computeIfAbsent(begun.group(1), name -> new HashMap<>());
            } else if (line.startsWith("|")) {
                // Picocli looks for lines by their numbers.
                String key = "usage.footer.";
                long before = section.keySet().stream()
                        .filter(known -> known.startsWith(key))
                        .count();
                section.put(key + before, line.substring(1));
            } else if (argument.matches()) {
                section.put(argument.group(1), argument.group(2));
            } else if (!line.isEmpty()) {
                section.put("usage.description", line);
            }
        }
        add(program, "", sections);
    }

    private static void add(CommandLine command, String words, Map<String, Map<String, String>> sections) {
        Map<String, String> texts = new HashMap<>(sections.getOrDefault(COMMON, Map.of()));
        texts.putAll(sections.getOrDefault(words.isEmpty() ? "plat" : words, Map.of()));
        for (PositionalParamSpec parameter : command.getCommandSpec().positionalParameters()) {
            String text = texts.get(parameter.paramLabel());
            if (text != null) {
                texts.put(parameter.paramLabel() + "[" + parameter.index() + "]", text);
            }
        }
        command.setResourceBundle(new ResourceBundle() {
            @Override
            protected @Nullable Object handleGetObject(String key) {
                return texts.get(key);
            }

            @Override
            public Enumeration<String> getKeys() {
                return Collections.enumeration(texts.keySet());
            }
        });
        command.getSubcommands().forEach((name, sub) -> add(sub, (words + " " + name).strip(), sections));
    }
}
