/**
 * plat: the command line that asks "can I?".
 *
 * <p>{@link io.plat.cli.Plat} lists the commands; each command is one class that reads its flags, asks and prints. Only {@code
 * main} ends the process. May depend on the engine (for answers without a server) and on what it depends on; not on any
 * server.
 */
@NullMarked
package io.plat.cli;

import org.jspecify.annotations.NullMarked;
