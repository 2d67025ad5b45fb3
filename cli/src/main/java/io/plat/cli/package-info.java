/**
 * plat: command line for access queries.
 *
 * <p>{@link io.plat.cli.Commands} lists the commands; each is one class, in its own package or with related ones, that reads its flags,
 * sends requests and prints ({@code io.plat.cli.command}). Only {@code main} ends the process. May depend on the engine (for requests without a
 * server) and its dependencies, but not on any server. No other package of plat depends on this one.
 */
@NullMarked
package io.plat.cli;

import org.jspecify.annotations.NullMarked;
