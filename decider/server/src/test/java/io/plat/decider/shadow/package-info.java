@NullMarked
package io.plat.decider.shadow;

import org.jspecify.annotations.NullMarked;
