/** Black-box tests of plat: with both servers and without one. */
@NullMarked
package io.plat.tests.cli;

import org.jspecify.annotations.NullMarked;
