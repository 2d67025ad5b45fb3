package io.plat.apiserver;

import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreCheck;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import io.plat.http.process.StartException;
import io.plat.http.process.ToolProgram;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** {@code apiserver-lite check}: is what the embedded storage keeps whole? */
final class CheckTool implements ToolProgram {
    static final String NAME = "check";
    static final String HELP =
            "Verifies everything that --data-dir keeps while no server has it open, and changes nothing.";

    private final FlagSet flags;
    private final Flag<Path> directory;

    CheckTool(String version) {
        flags = new FlagSet(new FlagSet.Program("apiserver-lite " + NAME, version, HELP));
        flags.group("Storage");
        directory = flags.required("data-dir", FlagType.FOLDER, "The folder of the embedded store.");
    }

    @Override
    public FlagSet flags() {
        return flags;
    }

    @Override
    public String run(FlagValues values) throws StartException {
        StoreCheck.Report report;
        try {
            report = StoreCheck.check(values.get(directory));
        } catch (StorageException unusable) {
            throw new StartException(List.of(directory.dashed() + ": " + unusable.getMessage()));
        }
        return text(directory, report);
    }

    /**
     * The counts of a store that is whole.
     *
     * @param named the flag that named it
     * @throws StartException with everything that is wrong with one that is not
     */
    static String text(Flag<?> named, StoreCheck.Report report) throws StartException {
        if (!report.problems().isEmpty()) {
            throw new StartException(report.problems().stream()
                    .map(problem -> named.dashed() + ": " + problem)
                    .toList());
        }
        return String.format(
                Locale.ROOT,
                "objects: %d\nrevision: %d\nhistory: %d changes after revision %d\nbytes: %d\nno damage\n",
                report.objects(),
                report.revision(),
                report.changes(),
                report.floor(),
                report.bytes());
    }
}
