/** Tests of the decision log. */
@NullMarked
package io.plat.decider.log;

import org.jspecify.annotations.NullMarked;
