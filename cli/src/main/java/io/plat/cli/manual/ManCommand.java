package io.plat.cli.manual;

import io.plat.cli.CommandException;
import io.plat.cli.ExitStatus;
import io.plat.cli.IoWords;
import io.plat.cli.Plat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code plat man}: manual pages. */
@Command(
        name = "man",
        mixinStandardHelpOptions = true,
        description = "Prints a manual page, or writes all of them to a folder.",
        footer = {"", "Examples:", "  plat man can-i | man -l -", "  plat man --dir ~/.local/share/man/man1"})
public final class ManCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "the command (plat itself)")
    private List<String> words = new ArrayList<>();

    @Option(names = "--dir", paramLabel = "DIR", description = "write the pages of all commands to this folder")
    private @Nullable Path folder;

    @Override
    public Integer call() {
        Plat program = Plat.of(spec);
        CommandLine root = Objects.requireNonNull(spec).root().commandLine();
        if (folder != null) {
            if (!words.isEmpty()) {
                throw CommandException.usage("--dir: writes all pages; found \"" + words.getFirst() + "\" besides");
            }
            write(root, folder);
            return ExitStatus.YES;
        }
        CommandLine command = root;
        for (String word : words) {
            command = command.getSubcommands().get(word);
            if (command == null) {
                throw CommandException.usage("no such command: \"" + word + "\"");
            }
        }
        program.report().print(new ManPage(command).text().stripTrailing());
        return ExitStatus.YES;
    }

    private static void write(CommandLine command, Path folder) {
        ManPage page = new ManPage(command);
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve(page.name() + ".1"), page.text());
        } catch (IOException e) {
            throw CommandException.couldNotTell("--dir: can't write to \"" + folder + "\": " + IoWords.of(e));
        }
        command.getSubcommands().values().forEach(sub -> write(sub, folder));
    }
}
