/** Clients that this project did not write, against the programs. Skipped with a message where a client is missing. */
@NullMarked
package io.plat.tests.foreign;

import org.jspecify.annotations.NullMarked;
