package io.boltshuffle.draw;

/** A straight line from one place to another. */
public record Segment(Point from, Point to) {
    private static final double LEAST_LENGTH = 1e-9;

    public Segment reversed() {
        return new Segment(to, from);
    }

    /** Returns the direction, of length 1; zero where both ends are one place. */
    public Point direction() {
        Point whole = to.minus(from);
        return whole.times(1 / Math.max(whole.length(), LEAST_LENGTH));
    }

    public double length() {
        return to.minus(from).length();
    }

    public Point atDistance(double distance) {
        return from.plus(direction().times(distance));
    }

    /** Returns the same line moved sideways, to the right of its direction where {@code y} grows downwards. */
    public Segment aside(double distance) {
        Point direction = direction();
        Point aside = new Point(-direction.y(), direction.x()).times(distance);
        return new Segment(from.plus(aside), to.plus(aside));
    }
}
