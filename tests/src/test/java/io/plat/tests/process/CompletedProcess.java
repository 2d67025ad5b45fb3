package io.plat.tests.process;

import java.util.List;

/**
 * A process that has ended.
 *
 * @param exitStatus its exit status
 * @param out what it wrote to stdout
 * @param err what it wrote to stderr
 */
public record CompletedProcess(int exitStatus, String out, String err) {
    /** Returns the lines on stderr, without those about the progress of a slow start. */
    public List<String> problems() {
        return err.lines().filter(line -> !line.contains("still starting")).toList();
    }
}
