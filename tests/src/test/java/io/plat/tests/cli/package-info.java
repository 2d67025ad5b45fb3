/** plat as a process, from the outside: against both servers and without one. */
@NullMarked
package io.plat.tests.cli;

import org.jspecify.annotations.NullMarked;
