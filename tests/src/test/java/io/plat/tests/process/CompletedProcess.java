package io.plat.tests.process;

/**
 * A process that has ended.
 *
 * @param exitStatus its exit status
 * @param out what it wrote to stdout
 * @param err what it wrote to stderr
 */
public record CompletedProcess(int exitStatus, String out, String err) {}
