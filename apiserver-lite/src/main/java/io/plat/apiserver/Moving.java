package io.plat.apiserver;

import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.move.Contents;
import io.plat.apiserver.storage.move.Counted;
import io.plat.apiserver.storage.move.Destination;
import io.plat.apiserver.storage.move.Sum;
import io.plat.http.process.StartException;
import java.io.Console;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A command that takes contents from one place to another, shows on a terminal how far it is, and says what it came to.
 *
 * @param name the command's
 * @param contents are closed at the end
 * @param from the flag that names where they are from
 * @param terminal where to show how far it is
 */
record Moving(String name, StoredSource<Contents> contents, String from, Terminal terminal) {
    /** Where lines are shown that replace each other; nowhere if nobody looks. */
    interface Terminal {
        /** Shows a line in place of the one before; an empty one in the end. */
        void show(String line);

        /** The one that this process was started from. */
        // JDK 25 is back to null where there is none.
        @SuppressWarnings("SystemConsoleNull")
        static Terminal ofProcess() {
            @Nullable Console console = System.console();
            return console != null && console.isTerminal() ? on(System.err) : line -> {};
        }

        /** One that understands how to begin a line anew. */
        static Terminal on(PrintStream stream) {
            return line -> {
                stream.print("\r\u001b[K" + line);
                stream.flush();
            };
        }
    }

    /**
     * Takes them there.
     *
     * @param bump how many revisions to leave out behind the newest
     * @return what was read back, as text
     */
    String to(Destination destination, long bump) throws StartException {
        Contents opened;
        try {
            opened = contents.open();
        } catch (StorageException unusable) {
            throw new StartException(List.of(from + ": " + unusable.getMessage()));
        }
        try (opened) {
            long behind = opened.revision() + bump;
            String of = opened.objects() == 0 ? "" : String.format(Locale.ROOT, " of %,d", opened.objects());
            Sum sum = destination.take(
                    new Counted(
                            opened,
                            count -> terminal.show(String.format(Locale.ROOT, "%s: %,d%s objects", name, count, of))),
                    behind);
            return String.format(
                    Locale.ROOT,
                    "objects: %d\nsha256: %s\nrevision: %d\nread back and equal\n",
                    sum.objects(),
                    sum.sha256(),
                    behind);
        } catch (StorageException failed) {
            throw new StartException(List.of(name + ": " + failed.getMessage()));
        } finally {
            terminal.show("");
        }
    }
}
