@NullMarked
package io.plat.decider.revision;

import org.jspecify.annotations.NullMarked;
