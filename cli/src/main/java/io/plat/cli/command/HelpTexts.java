package io.plat.cli.command;

import io.plat.cli.process.ResourceText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ResourceBundle;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Descriptions of commands, parameters and flags in help and manual pages: the sections of {@code help.txt}. They are added on demand, as no
 * other run needs them.
 */
public final class HelpTexts {
    /** The section of shared flags. */
    private static final String COMMON = "*";

    private static final Pattern SECTION = Pattern.compile("\\[(.+)]");
    private static final Pattern ARGUMENT = Pattern.compile("(?:--)?([^ :]+): (.*)");

    /** A line of the program's section: a heading, and the commands below it. */
    private static final Pattern GROUP = Pattern.compile("\\+([^:]+): (.*)");

    /** The end of a description's first clause, which the list of commands shows. */
    private static final Pattern CLAUSE =
            Pattern.compile("[.:] |,? and (?:report|print the|show which|the) |, or |\\.$");

    private static final Pattern CONNECTION = Pattern.compile(
            "--(?:kubeconfig|context|server|token|certificate-authority|client-certificate|client-key)");

    private HelpTexts() {}

    /** Adds them to a program and all of its commands. */
    public static void addTo(CommandLine program) {
        Map<String, Map<String, String>> sections = new HashMap<>();
        Map<String, String> section = new HashMap<>();
        Map<String, List<String>> groups = new LinkedHashMap<>();
        for (String line : ResourceText.read("help.txt")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .toList()) {
            Matcher started = SECTION.matcher(line);
            Matcher argument = ARGUMENT.matcher(line);
            Matcher group = GROUP.matcher(line);
            if (started.matches()) {
                section = sections.computeIfAbsent(started.group(1), _ -> new HashMap<>());
            } else if (group.matches()) {
                groups.put(group.group(1), List.of(group.group(2).split(" ")));
            } else if (line.startsWith("|")) {
                // Picocli looks up lines by number.
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
        program.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, help -> commands(groups, program));
        List<String> order = new ArrayList<>(program.getHelpSectionKeys());
        order.remove(UsageMessageSpec.SECTION_KEY_OPTION_LIST);
        order.add(
                order.indexOf(UsageMessageSpec.SECTION_KEY_COMMAND_LIST) + 1, UsageMessageSpec.SECTION_KEY_OPTION_LIST);
        program.setHelpSectionKeys(order);
        program.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, help -> "");
    }

    /** Returns the beginning of a command's description. */
    public static String summary(CommandLine command) {
        String[] description = command.getCommandSpec().usageMessage().description();
        return CLAUSE.split(String.join(" ", description), 2)[0];
    }

    /** Returns the commands below the headings of their tasks. */
    private static String commands(Map<String, List<String>> groups, CommandLine program) {
        StringBuilder list = new StringBuilder();
        groups.forEach((title, names) -> {
            list.append('\n').append(title).append(":\n");
            for (String name : names) {
                CommandLine command =
                        Objects.requireNonNull(program.getSubcommands().get(name));
                list.append("  %-12s%s%n".formatted(name, summary(command)));
            }
        });
        return list.toString();
    }

    /** Returns the options, those of the connection and of policy files below separate headings. */
    private static String options(CommandLine.Help help) {
        List<OptionSpec> visible = new ArrayList<>(help.commandSpec().options());
        visible.removeIf(OptionSpec::hidden);
        if (help.commandSpec().usageMessage().sortOptions()) {
            visible.sort(Comparator.comparing(option -> option.longestName().replaceFirst("^-+", "")));
        }
        boolean connects =
                visible.stream().anyMatch(option -> option.longestName().equals("--kubeconfig"));
        Map<String, List<OptionSpec>> groups = new LinkedHashMap<>();
        groups.put("", new ArrayList<>());
        for (OptionSpec option : visible) {
            String name = option.longestName();
            String group = connects && name.startsWith("--authorization-")
                    ? "\nPolicy files:\n"
                    : connects && CONNECTION.matcher(name).matches() ? "\nConnection:\n" : "";
            groups.computeIfAbsent(group, _ -> new ArrayList<>()).add(option);
        }
        StringBuilder list = new StringBuilder(help.subcommands().isEmpty() ? "" : "\nOptions:\n");
        groups.forEach((heading, some) -> {
            CommandLine.Help.Layout layout = help.createDefaultLayout();
            layout.addOptions(some, help.createDefaultParamLabelRenderer());
            list.append(heading).append(layout);
        });
        return list.toString();
    }

    private static void add(CommandLine command, String name, Map<String, Map<String, String>> sections) {
        Map<String, String> texts = new HashMap<>(sections.getOrDefault(COMMON, Map.of()));
        texts.putAll(sections.getOrDefault(name.isEmpty() ? "plat" : name, Map.of()));
        for (PositionalParamSpec parameter : command.getCommandSpec().positionalParameters()) {
            String text = texts.get(parameter.paramLabel());
            if (text != null) {
                texts.put(parameter.paramLabel() + "[" + parameter.index() + "]", text);
            }
        }
        command.getCommandSpec().usageMessage().abbreviateSynopsis(true);
        command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, HelpTexts::options);
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
        command.getSubcommands().forEach((word, sub) -> add(sub, (name + " " + word).strip(), sections));
    }
}
