package io.plat.cli.manual;

import io.plat.cli.command.HelpTexts;
import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.ExitStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plat man}: manual pages. */
@Command(name = "man", mixinStandardHelpOptions = true)
public final class ManCommand extends PlatCommand {
    @Parameters(arity = "0..*", paramLabel = "COMMAND")
    private List<String> words = new ArrayList<>();

    @Option(names = "--dir", paramLabel = "DIR")
    private @Nullable Path directory;

    @Override
    public int run(Program plat) {
        CommandLine root = root();
        HelpTexts.addTo(root);
        if (directory != null) {
            if (!words.isEmpty()) {
                throw CommandException.usage("--dir: writes all pages; found \"" + words.getFirst() + "\" besides");
            }
            write(root, directory);
            return ExitStatus.YES;
        }
        CommandLine command = root;
        for (String word : words) {
            command = command.getSubcommands().get(word);
            if (command == null) {
                throw CommandException.usage("no such command: \"" + word + "\"");
            }
        }
        plat.report().print(new ManPage(command).text().stripTrailing());
        return ExitStatus.YES;
    }

    private static void write(CommandLine command, Path directory) {
        ManPage page = new ManPage(command);
        try {
            Files.createDirectories(directory);
            Files.writeString(directory.resolve(page.name() + ".1"), page.text());
        } catch (IOException e) {
            throw CommandException.io("--dir: cannot write to \"" + directory + "\"", e);
        }
        command.getSubcommands().values().forEach(sub -> write(sub, directory));
    }

    /** The manual page of a command (man(7)). */
    private static final class ManPage {
        private final CommandLine command;
        private final CommandSpec spec;
        private final StringBuilder page = new StringBuilder(4096);

        ManPage(CommandLine command) {
            this.command = command;
            this.spec = command.getCommandSpec();
        }

        /** Returns the page's name: the command's words with hyphens. */
        String name() {
            return spec.qualifiedName("-").replace(' ', '-');
        }

        String text() {
            page.setLength(0);
            macro("TH", quoted(name().toUpperCase(Locale.ROOT)) + " 1 \"\" \"plat\" \"plat manual\"");
            macro("SH", "NAME");
            line(escaped(name()) + " \\- " + escaped(oneLine(spec.usageMessage().description())), false);
            macro("SH", "SYNOPSIS");
            macro("nf", "");
            command.getHelp().synopsis(0).lines().forEach(synopsis -> line(synopsis, true));
            macro("fi", "");
            parameters();
            options();
            commands();
            footer();
            seeAlso();
            return page.toString();
        }

        private void parameters() {
            List<PositionalParamSpec> visible = spec.positionalParameters();
            if (!visible.isEmpty()) {
                macro("SH", "PARAMETERS");
            }
            for (PositionalParamSpec parameter : visible) {
                entry(parameter.paramLabel(), parameter.description());
            }
        }

        private void options() {
            macro("SH", "OPTIONS");
            List<OptionSpec> visible = new ArrayList<>(spec.options());
            visible.removeIf(OptionSpec::hidden);
            for (OptionSpec option : visible) {
                Help.IParamLabelRenderer label = command.getHelp().createDefaultParamLabelRenderer();
                String value = label.renderParameterLabel(option, Help.Ansi.OFF, List.of())
                        .toString();
                entry(String.join(", ", option.names()) + value, option.description());
            }
        }

        private void commands() {
            if (command.getSubcommands().isEmpty()) {
                return;
            }
            macro("SH", "COMMANDS");
            command.getSubcommands()
                    .forEach((name, sub) ->
                            entry(name, sub.getCommandSpec().usageMessage().description()));
        }

        /** Prints the footer's paragraphs; a line that ends with a colon is the heading of the indented lines below. */
        private void footer() {
            for (String text : spec.usageMessage().footer()) {
                if (text.isEmpty()) {
                    continue;
                }
                if (text.endsWith(":")) {
                    macro("SH", text.substring(0, text.length() - 1).toUpperCase(Locale.ROOT));
                } else if (text.startsWith("Exit status: ")) {
                    macro("SH", "EXIT STATUS");
                    line(text.substring("Exit status: ".length()), true);
                } else {
                    macro("PP", "");
                    line(text.strip(), true);
                }
            }
        }

        private void seeAlso() {
            if (spec.parent() != null) {
                macro("SH", "SEE ALSO");
                line(spec.parent().qualifiedName("-").replace(' ', '-') + "(1)", true);
            }
        }

        private void entry(String term, String... description) {
            macro("TP", "");
            page.append(".B ").append(escaped(term)).append('\n');
            line(oneLine(description), true);
        }

        private static String oneLine(String... lines) {
            return String.join(" ", Arrays.asList(lines))
                    .replaceAll("\\s+", " ")
                    .strip();
        }

        private void macro(String name, String argument) {
            page.append('.').append(name);
            if (!argument.isEmpty()) {
                page.append(' ').append(argument);
            }
            page.append('\n');
        }

        private void line(String text, boolean escape) {
            String visible = escape ? escaped(text) : text;
            // A line with this prefix would be parsed as a macro.
            page.append(visible.startsWith(".") || visible.startsWith("'") ? "\\&" : "")
                    .append(visible)
                    .append('\n');
        }

        private static String quoted(String text) {
            return "\"" + escaped(text) + "\"";
        }

        private static String escaped(String text) {
            return text.replace("\\", "\\e").replace("-", "\\-").replace("\"", "\\(dq");
        }
    }
}
