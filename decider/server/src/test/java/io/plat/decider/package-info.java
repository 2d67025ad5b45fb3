/** Tests of the decider in this process, through its flags and over its socket. */
@NullMarked
package io.plat.decider;

import org.jspecify.annotations.NullMarked;
