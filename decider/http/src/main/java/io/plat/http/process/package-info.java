/**
 * A server as a process: from its command line to its exit code. Logging, signals and the first line on stdout are the same for every server, as
 * are the flags about listening and authorization; only this package and the main classes end a process.
 */
@NullMarked
package io.plat.http.process;

import org.jspecify.annotations.NullMarked;
