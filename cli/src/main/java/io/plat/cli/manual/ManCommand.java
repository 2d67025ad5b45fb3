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
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plat man}: manual pages. */
@Command(name = "man", mixinStandardHelpOptions = true)
public final class ManCommand extends PlatCommand {
    @Parameters(arity = "0..*", paramLabel = "COMMAND")
    private List<String> words = new ArrayList<>();

    @Option(names = "--dir", paramLabel = "DIR")
    private @Nullable Path folder;

    @Override
    public int run(Program plat) {
        CommandLine root = root();
        HelpTexts.addTo(root);
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
        plat.report().print(new ManPage(command).text().stripTrailing());
        return ExitStatus.YES;
    }

    private static void write(CommandLine command, Path folder) {
        ManPage page = new ManPage(command);
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve(page.name() + ".1"), page.text());
        } catch (IOException e) {
            throw CommandException.io("--dir: can't write to \"" + folder + "\"", e);
        }
        command.getSubcommands().values().forEach(sub -> write(sub, folder));
    }
}
