package io.plat.apiserver;

import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.move.Contents;
import io.plat.apiserver.storage.move.ContentsDigest;
import io.plat.apiserver.storage.move.Destination;
import io.plat.apiserver.storage.move.ProgressContents;
import io.plat.http.process.StartException;
import java.io.Console;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Command that copies contents from one store to another, shows its progress on a terminal, and prints a summary.
 *
 * @param contents source; closed at the end
 */
record StoreTransfer(String name, StorageSupplier<Contents> contents, String from, Terminal terminal) {
    /** Revisions beyond this are refused: a backup could otherwise leave no room for those of later backups. */
    private static final long MAX_REVISION = 100_000_000_000_000_000L;

    /** Terminal line that is updated in place; does nothing without a terminal. */
    interface Terminal {
        /** Replaces the current line; an empty line clears it at the end. */
        void show(String line);

        // Since JDK 25, null again if there is none.
        @SuppressWarnings("SystemConsoleNull")
        static Terminal ofProcess() {
            @Nullable Console console = System.console();
            return console != null && console.isTerminal() ? on(System.err) : line -> {};
        }

        static Terminal on(PrintStream stream) {
            return line -> {
                stream.print("\r\u001b[K" + line);
                stream.flush();
            };
        }
    }

    /**
     * Copies the contents.
     *
     * @param bump number of revisions to skip after the newest one
     * @return summary of what was read back
     */
    String copyTo(Destination destination, long bump) throws StartException {
        Contents opened;
        try {
            opened = contents.open();
        } catch (StorageException e) {
            throw new StartException(List.of(from + ": " + e.getMessage()));
        }
        try (opened) {
            if (opened.revision() > MAX_REVISION) {
                throw new StartException(List.of(from + ": no store has issued revision " + opened.revision()
                        + " (maximum " + MAX_REVISION + "): the contents were changed"));
            }
            long minRevision = opened.revision() + bump;
            String total = opened.objects() == 0 ? "" : String.format(Locale.ROOT, " of %,d", opened.objects());
            ContentsDigest digest = destination.write(
                    new ProgressContents(
                            opened,
                            count ->
                                    terminal.show(String.format(Locale.ROOT, "%s: %,d%s objects", name, count, total))),
                    minRevision);
            return String.format(
                    Locale.ROOT,
                    "objects: %d\nsha256: %s\nrevision: %d\nverified by reading it back\n",
                    digest.objects(),
                    digest.sha256(),
                    minRevision);
        } catch (StorageException e) {
            throw new StartException(List.of(name + ": " + e.getMessage()));
        } finally {
            terminal.show("");
        }
    }

    /** Opens a resource that depends on stored objects. */
    @FunctionalInterface
    interface StorageSupplier<T> {
        T open() throws StorageException;
    }
}
