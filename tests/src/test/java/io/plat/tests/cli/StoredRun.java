package io.plat.tests.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A line of {@code resources/plat/runs.table}, whose header describes the columns.
 *
 * @param line line number, from 1
 * @param name name of the stored output
 * @param server target: {@code decider}, {@code server}, {@code careless}, or {@code -} for none
 * @param user user; {@code ""} for none
 * @param status the exit status
 * @param full whether it is for full runs only
 * @param command the command line, for a shell
 */
record StoredRun(int line, String name, String server, String user, int status, boolean full, String command) {
    private static final int COLUMNS = 4;
    private static final String FULL = " full";

    /** Returns the runs of the table. */
    static List<StoredRun> read(Path table) throws IOException {
        List<StoredRun> runs = new ArrayList<>();
        List<String> lines = Files.readAllLines(table);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (!line.isBlank() && !line.startsWith("#")) {
                runs.add(parse(i + 1, line));
            }
        }
        return runs;
    }

    private static StoredRun parse(int number, String line) {
        String[] columns = line.split(" *\\| *", COLUMNS);
        if (columns.length < COLUMNS) {
            throw new IllegalArgumentException("line " + number + " has no " + COLUMNS + " columns: " + line);
        }
        String[] who = columns[1].split(" ", 2);
        return new StoredRun(
                number,
                columns[0],
                who[0],
                who.length > 1 ? who[1] : "",
                Integer.parseInt(columns[2].replace(FULL, "")),
                columns[2].endsWith(FULL),
                columns[3].strip());
    }

    /** Returns the tested command of plat, or {@code plat} itself; the last one of several. */
    String about() {
        String[] arguments = command.substring(command.lastIndexOf("plat ") + 1).split(" ", 3);
        return arguments.length > 1 && !arguments[1].startsWith("-") ? arguments[1] : "plat";
    }

    /** Returns its location in the table. */
    String title() {
        return line + ": " + command + (user.isEmpty() ? "" : "  [" + server + " " + user + "]");
    }
}
