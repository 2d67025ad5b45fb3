package io.plat.cli.manual;

import io.plat.cli.command.HelpTexts;
import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.process.ExitStatus;
import io.plat.cli.process.ResourceText;
import io.plat.cli.request.KnownVerbs;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;

/** {@code plat completion}: a script that completes plat's commands, flags and their arguments. */
@Command(name = "completion", mixinStandardHelpOptions = true)
public final class CompletionCommand extends PlatCommand {
    enum Shell {
        bash,
        zsh,
        fish
    }

    @Parameters(paramLabel = "SHELL")
    private Shell shell = Shell.bash;

    @Override
    public int run(Program plat) {
        CommandLine root = root();
        HelpTexts.addTo(root);
        StringBuilder words = new StringBuilder();
        add(root, "plat", words);
        String script = ResourceText.read("completion." + shell);
        plat.report().print(script.replace("@WORDS@", words.toString().strip()).stripTrailing());
        return ExitStatus.YES;
    }

    /** Adds the words that may follow a command: its key, the word, {@code =} behind a flag with a value, and the description. Verbs have the key with a colon. */
    private static void add(CommandLine command, String key, StringBuilder words) {
        for (OptionSpec option : command.getCommandSpec().options()) {
            for (String name : option.names()) {
                String text = option.longestName().equals(name) ? String.join(" ", option.description()) : "";
                words.append(line(key, name + (option.arity().min() > 0 ? "=" : ""), text));
            }
        }
        if (command.getCommandSpec().positionalParameters().stream()
                .anyMatch(
                        first -> first.index().contains(0) && first.paramLabel().equals("VERB"))) {
            KnownVerbs.OF_RESOURCES.stream().sorted().forEach(verb -> words.append(line(key + ":", verb, "")));
        }
        command.getSubcommands().forEach((name, sub) -> {
            words.append(line(key, name, HelpTexts.summary(sub)));
            add(sub, key.equals("plat") ? name : key + "-" + name, words);
        });
    }

    /** Returns a line that is safe in single quotes. */
    private static String line(String key, String word, String text) {
        return key + " " + word + " " + text.replace('\'', '\u2019') + "\n";
    }
}
