/**
 * Processes of servers, from command line to exit code. Logging, signals and the first line on stdout are common to all servers, as are the flags for
 * listening and authorization. Only this package and the main classes exit the process.
 */
@NullMarked
package io.plat.http.process;

import org.jspecify.annotations.NullMarked;
