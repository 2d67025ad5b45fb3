/** Black-box tests of the decider. */
@NullMarked
package io.plat.tests.decider;

import org.jspecify.annotations.NullMarked;
